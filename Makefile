# Everything starts here: `make run` and `make test` set themselves up on a machine that has
# only python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
CORES ?= 2
# Dozens of processes come and go in the tests: each would compile everything anew, and calculate on all cores.
unexport PYTHONDONTWRITEBYTECODE
export OPENBLAS_NUM_THREADS := 1

.PHONY: setup run test warm check messages lint audit core rest browser screenshots bench docs campaign campaigns tables lock clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Fivedice needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --compile-bytecode --require-hashes -r requirements.lock
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --compile-bytecode --no-deps -e .
	$(BIN)/python -m compileall -q src
	@touch $@

run: $(STAMP)
	@$(BIN)/fivedice serve --open-browser $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

# Everything runs at the same time: lint and types, the browser, the traced core in one process, the rest in several. A
# solution is shared by all of them, and kept for the next run of the same solver.
test: $(STAMP)
	@FIVEDICE_TEST_SOLUTIONS="$$($(BIN)/python tools/solutions_folder.py)" \
	  $(MAKE) --no-print-directory --jobs=4 --output-sync=target audit lint browser core rest

# Compile the kernels of the solver and the assertions of the tests once, for all processes that follow.
warm: $(STAMP)
	@$(BIN)/python tools/warm.py

check: lint audit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/check_scripts.py
	$(BIN)/python tools/check_sentences.py
	$(BIN)/python tools/messages.py --check

# Collects all texts for translators, and compiles their catalogues: see docs/translating.md.
messages: $(STAMP)
	$(BIN)/python tools/messages.py

# Asks the advisory service, and says so where it does not answer.
audit: $(STAMP)
	$(BIN)/python tools/audit.py

# The pure core is traced for branch coverage; everything else runs on all cores without the tracer.
CORE := tests/cli/test_rules.py tests/dice tests/game tests/golden tests/notation tests/rules
# As many workers as cores: while their tests wait for a process or a disk, the browser needs the cores.
PARALLEL := -n $(CORES) --dist worksteal

core: $(STAMP)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q --junitxml=build/times/core.xml -m traced $(CORE)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

rest: $(STAMP) warm
	$(BIN)/python -m pytest -q $(PARALLEL) --junitxml=build/times/rest.xml -m "not traced" --ignore=tests/browser tests

browser: $(STAMP) warm
	@$(BIN)/python tools/ensure_chromium.py
	$(BIN)/python -m pytest -q --junitxml=build/times/browser.xml tests/browser

# Pictures of every page for docs/. Look at them.
screenshots: $(STAMP)
	PYTHONPATH=tests $(BIN)/python -m browser.make_screenshots

# The site of the documentation, in build/site; what it cannot resolve is an error.
docs: $(STAMP)
	@rm -rf build/site
	$(BIN)/sphinx-build -E -W --keep-going -q -c docs/site -d build/site-cache . build/site

bench: $(STAMP)
	$(BIN)/python -m bench

# What takes too long for `make test`: see tools/campaigns.toml.
campaigns: $(STAMP)
	@$(BIN)/python tools/campaign.py

campaign: $(STAMP)
	@$(if $(NAME),,$(error Name a campaign: make campaign NAME=crash. `make campaigns` lists them))$(BIN)/python tools/campaign.py $(NAME)

# Solves the shipped books and writes the tables that the wheel contains: a minute of computing.
tables: $(STAMP)
	$(BIN)/python tools/make_tables.py

lock:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --all-extras pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
