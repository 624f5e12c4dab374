# Everything sets itself up in .venv; all that is needed is Python 3.11 or newer.

VENV := .venv
PRODUCT := $(VENV)/.product
READY := $(VENV)/.ready
RUN := $(VENV)/bin

.PHONY: demo test slow bridges lint bench docs clean

demo: $(PRODUCT)  ## redact bundled documents, by names, by what is found in them and by what a reader can infer
	@$(RUN)/python examples/demo.py

test: $(READY)  ## the tests that every change must pass
	$(RUN)/pytest -n 2 -m "not slow"

slow: $(READY)  ## the tests that take longer; LibreOffice and Chromium are used where they are installed
	$(RUN)/pytest -n 2 -m slow

bridges: $(READY)  ## the slow tests that need torch, transformers and gliner, which are large
	$(RUN)/pip install --quiet --disable-pip-version-check --editable '.[bridges-test]'
	$(RUN)/pytest -m slow tests/test_bridges_networks.py

lint: $(READY)
	$(RUN)/ruff check src tests benchmarks docs examples
	$(RUN)/ruff format --check src tests benchmarks docs examples
	$(RUN)/mypy

bench: $(READY)  ## speed and detection, compared with peers in the same run
	$(RUN)/python benchmarks/run.py
	$(RUN)/python benchmarks/solver.py --programs 500
	$(RUN)/python benchmarks/fit.py --documents 20000 --classes 100 --words 50000
	$(RUN)/python benchmarks/detection.py
	$(RUN)/python benchmarks/service.py --folder build/workbench
	$(RUN)/python benchmarks/inspection.py
	$(RUN)/python benchmarks/layout.py

docs: $(READY)  ## write the references anew and build the pages
	$(RUN)/python docs/generate.py
	$(RUN)/mkdocs build --strict

clean:
	rm -rf $(VENV) .venv-peers .venv-peers-pdf build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(PRODUCT): pyproject.toml
	@sh scripts/setup.sh $(VENV) .
	@touch $@

$(READY): pyproject.toml
	@sh scripts/setup.sh $(VENV) '.[test,lint,docs]'
	@touch $@ $(PRODUCT)
