# Everything starts here: `make run` and `make test` set themselves up on a machine that has
# only python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
CORES ?= 2
# Dozens of processes come and go in the tests, and each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run test warm check messages lint audit core rest browser screenshots screens bench docs exhaustive analysis advice calibration fairness fuzz crash siege mutants phone tables shipped installs lock clean

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

# A browser waits a lot, so everything runs beside everything: lint and types, the browser, the traced core in one
# process, the rest in several. What one of them solves, none of the others solves again.
test: $(STAMP)
	@solutions=$$(mktemp -d) && trap 'rm -rf "$$solutions"' EXIT && FIVEDICE_TEST_SOLUTIONS="$$solutions" \
	  $(MAKE) --no-print-directory --jobs=4 --output-sync=target audit lint browser core rest

# The solver's kernels are compiled once, for all processes that follow.
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

# Asks the advisory service, and says so where nobody answers.
audit: $(STAMP)
	$(BIN)/python tools/audit.py

# The pure core is traced for branch coverage; everything else runs on all cores without the tracer.
CORE := tests/cli/test_rules.py tests/dice tests/game tests/golden tests/notation tests/rules
# One worker more than cores: a quarter of their time, tests wait for a process, a disk or a database.
PARALLEL := -n $$(( $(CORES) + 1 )) --dist worksteal

core: $(STAMP)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -m traced $(CORE)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

rest: $(STAMP) warm
	$(BIN)/python -m pytest -q $(PARALLEL) -m "not traced" --ignore=tests/browser tests

browser: $(STAMP) warm
	@$(BIN)/python tools/ensure_chromium.py
	$(BIN)/python -m pytest -q tests/browser

# Pictures of every page for docs/; somebody has to look at them.
screenshots: $(STAMP)
	PYTHONPATH=tests $(BIN)/python -m browser.make_screenshots

# The site of the documentation, in build/site; what it cannot resolve is an error.
docs: $(STAMP)
	@rm -rf build/site
	$(BIN)/sphinx-build -E -W --keep-going -q -c docs/site -d build/site-cache . build/site

bench: $(STAMP)
	$(BIN)/python -m bench

exhaustive: $(STAMP)
	FIVEDICE_EXHAUSTIVE=1 $(BIN)/python -m pytest -q $(PARALLEL) tests/exhaustive tests/notation tests/rules tests/game tests/tui/test_plain.py \
	  tests/tui/test_whole_games.py tests/solver tests/bots tests/golden tests/analysis/test_reasons.py \
	  tests/table/test_pad_model.py tests/web/test_odd_requests.py tests/tui/test_killed.py tests/learning
	FIVEDICE_EXHAUSTIVE=1 $(BIN)/python -m pytest -q tests/browser/test_axe.py tests/browser/test_journeys.py \
	  tests/browser/test_qr.py tests/browser/test_dice.py tests/browser/test_one_screen.py

# The rules on the phone: its scripts against the engine, every roll on every kind of card, and whole sheets.
phone: $(STAMP)
	@$(BIN)/python tools/ensure_chromium.py
	FIVEDICE_PHONE=$(or $(CASES),1) $(BIN)/python -m pytest -q -rP $(PARALLEL) tests/browser/test_phone_rules.py \
	  tests/browser/test_phone_sheets.py

# Whole games by clicks, for every book, window and number of players up to four: an hour.
screens: $(STAMP)
	FIVEDICE_EXHAUSTIVE=1 $(BIN)/python -m pytest -q $(PARALLEL) tests/browser/test_one_screen.py

# Ten thousand reports over all books, and the chances of winning of as many games: half an hour.
analysis: $(STAMP)
	FIVEDICE_ANALYSIS=1 $(BIN)/python -m pytest -q tests/analysis

# The chances of winning held against 21,000 games, as docs/calibration.svg: half an hour.
calibration: $(STAMP)
	PYTHONPATH=tests $(BIN)/python -m analysis.calibration docs

# The coach on a phone held against the server's: 10,000 situations a book, hundreds of random books: ten minutes.
advice: $(STAMP)
	FIVEDICE_ADVICE=1 $(BIN)/python -m pytest -q -s tests/browser/test_phone_coach.py

# A hundred million provable dice, a thousand games verified: ten minutes of computing.
fairness: $(STAMP)
	FIVEDICE_FAIRNESS=1 $(BIN)/python -m pytest -q -s tests/fairness

# Many more requests against the API than `make test` tries: some minutes.
fuzz: $(STAMP)
	FIVEDICE_FUZZ=$(or $(EXAMPLES),500) $(BIN)/python -m pytest -q tests/web/test_api_fuzz.py

# A thousand servers killed under load and thousands of broken streams, on both databases; a thousand power cuts on
# SQLite: twenty minutes.
crash: $(STAMP)
	FIVEDICE_KILLS=1000 FIVEDICE_CUTS=1000 $(BIN)/python -m pytest -q -s tests/crash
	FIVEDICE_BREAKS=3000 $(BIN)/python -m pytest -q tests/sharing/test_once.py

# A hostile client within its limits while somebody plays: how long moves take, in quiet and under siege.
siege: $(STAMP)
	$(BIN)/python -m bench.siege $(SECONDS)

# Breaks rules, game, dice, proofs, decisions and doors in two hundred places, and asks whether a test notices: an hour.
mutants: $(STAMP)
	CORES=$(CORES) $(BIN)/python tools/mutants.py $(COUNT) $(SEED)

# Solves the shipped books and writes what the wheel brings along of them: a minute of computing.
tables: $(STAMP)
	$(BIN)/python tools/make_tables.py

# Holds all of it against a fresh solve: a minute. `make test` does so for the values, and the odds of two books.
shipped: $(STAMP)
	FIVEDICE_EXHAUSTIVE=1 $(BIN)/python -m pytest -q tests/solver/test_shipped_tables.py

# The wheel in bare environments: nothing, and each extra.
installs: $(STAMP)
	FIVEDICE_EXHAUSTIVE=1 $(BIN)/python -m pytest -q tests/installs

lock:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --all-extras pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
