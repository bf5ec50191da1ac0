# The one list of commands, for people and for continuous integration. POSIX make.

PYTHON = python3
BIN = .venv/bin
# Where this is set, every process compiles all modules again. An empty value counts as none.
PYTHONDONTWRITEBYTECODE =
PIP = $(BIN)/python -m pip --disable-pip-version-check

help:
	@echo 'make run       install into .venv and open the lab'
	@echo 'make test      also install what the tests need, and run all that must be green: lint, types, import rules,'
	@echo '               tests, and speed beside rivals; make check is the same'
	@echo 'make firmware  build the sketches for distance sensors into build/firmware'
	@echo 'make guard     steps, a map and a fit beside rivals: fails where one has become slower'
	@echo 'make fuzz      damaged files for every reader, for MINUTES=10; new kinds go to tests/fuzz/corpus'
	@echo "make nightly   what is too slow for every change, or PART='physics desktop' of it; a wrong name lists all"
	@echo 'make bench     the benchmarks, beside their rivals'
	@echo 'make docs      build the documentation as a site in build/docs, in English and Japanese'
	@echo 'make pictures  draw the moving picture of the README and the window of the documentation again'
	@echo 'make translations  collect the texts of the sources into app/polhode_app/translations, and compile them'
	@echo 'make meshes    make the files in meshes/ again'
	@echo 'make web-module  link the kernels as a module of WebAssembly, and keep it beside the machine code'
	@echo 'make fmi-library  link them as the library of FMUs, for Linux, Windows and macOS'
	@echo 'make wheel     a wheel in dist/, with both of these'
	@echo 'make lock      pin the newest versions of all libraries'
	@echo 'make bundle    a Debian package and a folder that needs no installed Python, in build/bundle'
	@echo 'make clean     remove .venv and everything else that was made here'
	@echo 'PYTHON=... chooses another Python, 3.11 or newer'

run: .venv/project.done
	@$(BIN)/polhode

.venv/libraries.done: requirements.lock
	@sh .ci/venv $(PYTHON)
	@sh .ci/packages window || echo 'Going on without them.'
	@echo 'Installing the libraries into .venv: some 350 MB, once.'
	@$(PIP) install --require-hashes -r requirements.lock
	@touch $@

.venv/project.done: .venv/libraries.done pyproject.toml
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

.venv/tests.done: .venv/libraries.done requirements-test.lock
	@sh .ci/packages tests
	@sh .ci/packages firmware || echo 'Going on without them: the tests of the firmware are left out.'
	@sh .ci/packages exports || echo 'Going on without them: the tests in a browser and in Blender are left out.'
	@echo 'Installing what the tests need, once.'
	@$(PIP) install --require-hashes -r requirements-test.lock
	@touch $@

# On two cores. Compiling the kernels takes one of them for more than a minute: beside it go lint and what needs no
# machine code. Three processes of tests keep both busy, since some tests wait. What counts milliseconds of a hand needs
# both cores for itself.
FIRST := tests/firmware tests/physics/scene/test_scene_file.py tests/program/edit/test_fields.py tests/program/sensor \
    tests/program/i18n \
    $(foreach name,house docstrings names_in_texts field_docs quoted_texts wording regular_expressions,tests/program/test_$(name).py) \
    $(foreach name,path_views views,tests/program/viewport/test_$(name).py) \
    $(foreach name,port hub,tests/desktop/sensor/test_$(name).py)
ALONE := tests/desktop/view/test_throw.py tests/desktop/sensor/test_sensor_input.py \
    tests/desktop/shell/test_dock_opening.py
test check: .venv/project.done .venv/tests.done
	@$(MAKE) --no-print-directory --jobs 2 --keep-going lint suite
	@$(MAKE) --no-print-directory guard

suite: kernels first
	@$(BIN)/python -m pytest -n 3 tests/physics tests/program $(FIRST:%=--ignore %)
	@$(BIN)/python -m pytest -n 3 --dist loadfile tests/desktop $(FIRST:%=--ignore %) $(ALONE:%=--ignore %)
	@$(BIN)/python -m pytest $(ALONE)

kernels:
	@$(BIN)/python -m polhode.compilation.compile_units --all > .venv/compiled.txt

first:
	@$(BIN)/python -m pytest $(FIRST)

lint: .venv/project.done .venv/tests.done
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

lock:
	@sh .ci/lock $(PYTHON)

guard: .venv/project.done .venv/tests.done
	@$(BIN)/python benchmarks/guard.py

nightly: .venv/project.done .venv/tests.done .venv/docs.done
	@sh .ci/packages shells || echo 'Going on without them: the tests of completion in zsh and fish are left out.'
	@$(BIN)/python -m tests.nightly $(MINUTES:%=--minutes %) $(PART)

fuzz: .venv/project.done .venv/tests.done
	@$(BIN)/python -m tests.fuzz $(MINUTES:%=--minutes %) --grow

bench: .venv/project.done .venv/tests.done
	@for case in $$(grep -l __main__ benchmarks/*.py); do echo "== $$case"; $(BIN)/python "$$case"; done

firmware:
	@sh .ci/packages firmware
	@$(MAKE) --no-print-directory -C firmware

meshes: .venv/project.done .venv/tests.done
	@$(BIN)/python meshes/make.py

translations: .venv/project.done .venv/tests.done
	@$(BIN)/python .ci/translations.py
	@$(BIN)/python .ci/errata.py

web-module: .venv/project.done .venv/tests.done
	@$(BIN)/python -m polhode.compilation.web_module.build

fmi-library: .venv/project.done .venv/tests.done
	@$(BIN)/python -m polhode.compilation.fmi_library.build

wheel: .venv/project.done .venv/tests.done
	@$(BIN)/python -m polhode.compilation.prebuilt
	@$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

# What MkDocs needs is no part of the program: a lock file of its own.
.venv/docs.done: .venv/libraries.done requirements-docs.lock
	@$(PIP) install --quiet --require-hashes -r requirements-docs.lock
	@touch $@

docs: web-module .venv/docs.done
	@$(BIN)/python -m docs.site

pictures: .venv/project.done
	@$(BIN)/python -m docs.site film
	@$(BIN)/python -m docs.site window

bundle: .venv/project.done .venv/tests.done
	@sh .ci/packages bundle
	@$(BIN)/python -m installers.bundle

clean:
	rm -rf .venv build dist polhode.mp4 polhode.png benchmarks/build *.egg-info
	rm -rf .fuzz .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help run test check suite kernels first lint lock guard nightly fuzz bench firmware meshes translations web-module fmi-library wheel docs pictures bundle clean
