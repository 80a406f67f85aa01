"""Side-by-side measurements, run by `make bench`. Each prints ratios or rates from one run on this machine."""

import os

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else every start compiles all modules anew: 2.5 s instead of 1.0
