"""Settings for all tests: invented cases are the same on every run, and no test is judged by its speed."""

from hypothesis import settings

settings.register_profile("fivedice", deadline=None, derandomize=True, database=None)
settings.load_profile("fivedice")
