"""Settings for all tests: invented cases are the same on every run, no test is judged by its speed, and none touches
the folders of whoever runs them.
"""

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("fivedice", deadline=None, derandomize=True, database=None)
settings.load_profile("fivedice")


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Solutions, tables and settings go to a folder of this run, in the processes that tests start too."""
    folder = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIVEDICE_CACHE", str(folder / "cache"))
        patch.setenv("FIVEDICE_DATA", str(folder / "data"))
        patch.setenv("FIVEDICE_CONFIG", str(folder / "config.toml"))
        patch.setenv("FIVEDICE_PREPARE", "no")  # servers solve what a test asks for, and nothing else
        yield
