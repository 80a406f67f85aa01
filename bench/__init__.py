"""Side-by-side measurements, run by `make bench`. Each prints ratios or rates from one run on this machine."""
