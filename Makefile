# make league   sets up what is needed and plays the starter league to a printed ladder
# make test     runs the tests; WITHOUT=browser leaves out those that drive a browser
# make soak     what takes longer: killed runs, forty thousand games of the sample bots, a thousand matches with hostile ones
# make check    formatter, linter, strict types, import rules
# make fuzz     runs the coverage-guided fuzzers; RUNS=1000000 gives each of them as many executions
# make bench    measures; prints ratios against a floor taken in the same run

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= auto

.PHONY: league test soak check fuzz format bench pictures clean

league: $(VENV)/.installed
	$(BIN)/harness run-league leagues/starter.toml

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(WORKERS) $(if $(WITHOUT),-m 'not $(WITHOUT)')

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

soak: $(VENV)/.installed-dev
	$(BIN)/python -m tests.soak

fuzz: $(VENV)/.installed-fuzz
	$(BIN)/python -m tests.fuzz $(if $(RUNS),--runs $(RUNS))

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[fuzz]'
	touch $@

# The README's pictures: a match of sample bots on a stated seed, as a terminal shows it, and the site of a real run.
pictures: $(VENV)/.installed-dev
	$(BIN)/harness play sample:expected-value-leavers sample:fixed-depth sample:gem-threshold sample:never \
	    -n 1 --seed picture --record $(VENV)/picture.json
	$(BIN)/python docs/pictures/draw.py docs/pictures/replay.svg 88 'harness replay show match.json' \
	    $(BIN)/harness replay show $(VENV)/picture.json
	$(BIN)/python docs/pictures/site.py docs/pictures
