# Everything starts here: `make run` and `make test` set themselves up on a machine that has
# only python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
CORES ?= 2
JOBS ?= 8
TURNS ?= 2
REST := rest-web rest-numbers rest-terminal rest-others
# Dozens of processes come and go in the tests: each would compile everything anew, and calculate on all cores.
unexport PYTHONDONTWRITEBYTECODE
export OPENBLAS_NUM_THREADS := 1

.PHONY: setup run test warm check messages lint audit audit-or-skip core rest $(REST) browser browser-pad browser-table chromium screenshots bench docs campaign campaigns tables lock clean

setup: $(STAMP)

$(STAMP): requirements.lock requirements-uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Fivedice needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --require-hashes -r requirements.lock
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --no-deps -e .
	@touch $@

run: $(STAMP)
	@$(BIN)/fivedice serve --open-browser $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

# All groups at a time: tests of pages, terminals and databases wait half of their time, and a group that begins late ends
# alone on one of two cores. A solution is shared by all of them, and kept for the next run of the same solver.
# Some tests take turns, every second day each; `make test TURNS=1` runs all of them, as before a change lands.
test: $(STAMP)
	@rm -rf build/times
	@FIVEDICE_TURNS=$(TURNS) FIVEDICE_TEST_SOLUTIONS="$$($(BIN)/python tools/solutions_folder.py)" \
	  $(MAKE) --no-print-directory --jobs=$(JOBS) --output-sync=target warm lint audit-or-skip browser core rest

# Compile the kernels of the solver once, for all processes that follow.
warm: $(STAMP)
	@$(BIN)/python tools/warm.py

check: lint audit-or-skip

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/check_scripts.py
	$(BIN)/python tools/check_sentences.py
	$(BIN)/python tools/messages.py --check
	$(BIN)/python tools/measure_house.py --check

# Collects all texts for translators, and names translations that are missing or wrong: see docs/translating.md.
messages: $(STAMP)
	$(BIN)/python tools/messages.py $(NAME)

# Ask the advisory service. `make audit` fails where it does not answer; the others say so and go on.
audit: $(STAMP)
	$(BIN)/python tools/audit.py

audit-or-skip: $(STAMP)
	$(BIN)/python tools/audit.py --may-skip

# The pure core is traced for branch coverage; everything else runs without the tracer, in groups of folders.
CORE := tests/cli/test_rules.py tests/dice tests/game tests/golden tests/notation tests/rules
WEB := tests/web
NUMBERS := tests/analysis tests/bots tests/matches tests/positions tests/solver
TERMINAL := tests/cli tests/crash tests/sharing tests/tui
NOT_TRACED := $(BIN)/python -m pytest -q -m "not traced"

core: $(STAMP)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q --junitxml=build/times/core.xml -m traced $(CORE)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

rest: $(REST)

rest-web: $(STAMP) warm
	$(NOT_TRACED) --junitxml=build/times/$@.xml $(WEB)

rest-numbers: $(STAMP) warm
	$(NOT_TRACED) --junitxml=build/times/$@.xml $(NUMBERS)

rest-terminal: $(STAMP) warm
	$(NOT_TRACED) --junitxml=build/times/$@.xml $(TERMINAL)

rest-others: $(STAMP) warm
	$(NOT_TRACED) --junitxml=build/times/$@.xml tests $(addprefix --ignore=,tests/browser $(WEB) $(NUMBERS) $(TERMINAL))

# The score pad and its scripts, and all other pages.
PAD := $(wildcard $(patsubst %,tests/browser/test_%.py,pad* phone* static_site two_phones qr unit coach_panel))

browser: browser-pad browser-table

browser-pad: $(STAMP) warm chromium
	$(BIN)/python -m pytest -q --junitxml=build/times/$@.xml $(PAD)

browser-table: $(STAMP) warm chromium
	$(BIN)/python -m pytest -q --junitxml=build/times/$@.xml tests/browser $(addprefix --ignore=,$(PAD))

chromium: $(STAMP)
	@$(BIN)/python tools/ensure_chromium.py

# Pictures of every page for docs/; with LANGUAGE=de in build/screenshots/de, as a phone shows them. Look at them.
screenshots: $(STAMP)
	PYTHONPATH=tests $(BIN)/python -m browser.$(if $(LANGUAGE),language_sights $(LANGUAGE),make_screenshots)

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

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --no-emit-find-links --no-header

# For everything, for the server in the image, and for the installer itself.
lock:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	$(LOCK) --all-extras pyproject.toml -o requirements.lock
	echo hatchling | $(LOCK) --no-annotate --constraint requirements.lock --extra web --extra notices --extra postgresql --extra reports \
	  pyproject.toml - -o requirements-server.lock
	echo uv | $(LOCK) --no-annotate - -o requirements-uv.lock

clean:
	rm -rf $(VENV) .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
