# The front door. The build itself is CMake's: CMakeLists.txt and CMakePresets.json.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= 100000
KILLS ?= 50
LACUNA := build/bin/lacuna

export CTEST_PARALLEL_LEVEL ?= $(shell nproc 2>/dev/null || echo 1)
ifneq ($(shell command -v ccache),)
export CMAKE_C_COMPILER_LAUNCHER ?= ccache
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
endif

.PHONY: help setup setup-test setup-deep configure build mpi demo python-env test wheel bench check-deep sanitize fuzz \
        kill-matrix ranks kill-ranks engines add-an-entry format tidy install clean

help:
	@echo 'make demo        install what is missing, build the program, fit a small problem and predict new rows'
	@echo 'make test        install what is missing, build the tests too, run every one'
	@echo 'make build       the program alone, at build/bin/lacuna'
	@echo 'make mpi         back end mpi: installs OpenMPI and ScaLAPACK, builds the program and its plug-in'
	@echo 'make wheel       the Python package as a wheel that needs no other library, in build-wheel/'
	@echo 'make bench       speed, as ratios to bare OpenBLAS and to refitting'
	@echo 'make check-deep  tests under sanitizers, fuzzers (FUZZ_SECONDS=$(FUZZ_SECONDS), FUZZ_RUNS=$(FUZZ_RUNS)), kills,'
	@echo '                 ranks of MPI, the examples on Spark and Ray (make engines)'
	@echo 'make format      clang-format over the sources'
	@echo 'make tidy        clang-tidy over the sources'
	@echo 'make install     into PREFIX=$(PREFIX)'
	@echo 'make clean       remove the build folders and demo/'

setup:
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh --test

setup-deep:
	@scripts/setup.sh --deep

configure: setup
	@cmake --preset release -Wno-dev

# The program and its library; tests, examples and benchmarks are built by the goals that run them.
build: configure
	@cmake --build --preset release --target lacuna_cli

# One matrix over several ranks: the plug-in beside the library that --backend mpi loads.
mpi:
	@scripts/setup.sh --mpi
	@cmake --preset release -Wno-dev -DLACUNA_MPI=ON
	@cmake --build --preset release --target lacuna_cli lacuna_mpi

# Ripley's two classes: choose and fit on 250 rows, then predict 1000 fresh ones.
demo: build
	@mkdir -p demo
	@$(LACUNA) generate ripley --rows 250 --seed 1 > demo/train.csv
	@$(LACUNA) generate ripley --rows 1000 --seed 2 > demo/new.csv
	@echo
	@echo '$$ lacuna fit demo/train.csv --target label -o demo/model.lacuna'
	@$(LACUNA) fit demo/train.csv --target label -o demo/model.lacuna
	@echo
	@echo '$$ lacuna predict demo/model.lacuna demo/new.csv -o demo/predictions.csv'
	@$(LACUNA) predict demo/model.lacuna demo/new.csv -o demo/predictions.csv
	@echo
	@echo '$$ lacuna report demo/model.lacuna -o demo/report.html'
	@if $(LACUNA) report demo/model.lacuna -o demo/report.html; then \
	   echo; echo 'Model in demo/model.lacuna, predictions in demo/predictions.csv.'; \
	   echo 'Report for a browser: $(CURDIR)/demo/report.html'; \
	 else echo; echo 'Model in demo/model.lacuna, predictions in demo/predictions.csv; no report without npm.'; fi

# The Python module is built with the tests: `make build` and `make demo` need no Python.
python-env: setup
	@scripts/python_env.sh build/venv

test: setup-test python-env
	@cmake --preset release -Wno-dev -DLACUNA_PYTHON=ON
	@cmake --build --preset release --target lacuna_tests
	@ctest --preset release

# A wheel of the Python package with OpenBLAS inside, tested in an environment of its own; PYTHON=... names another.
wheel: setup
	@scripts/wheel.sh build-wheel

bench: configure
	@cmake --build --preset release --target lacuna_benchmarks
	@failed=0; for program in build/bin/bench_*; do echo "== $$(basename $$program)"; $$program || failed=1; done; \
	 exit $$failed

check-deep: sanitize fuzz kill-matrix add-an-entry ranks kill-ranks engines

# 1,200 runs that are killed at random moments; some minutes.
kill-matrix: build
	@LACUNA_PROGRAM='$(CURDIR)/$(LACUNA)' python3 -B tests/deep/kill_matrix.py --kills $(KILLS)

# The examples on Spark and Ray, in an environment that has both (1.9 GB). Spark needs Java 17.
engines: setup python-env
	@command -v java >/dev/null || echo 'engines: no java here: the example on Spark will fail'
	@scripts/python_env.sh build/venv-engines engines
	@cmake --preset release -Wno-dev -DLACUNA_PYTHON=ON
	@cmake --build --preset release --target lacuna_cli _core
	@cd python/tests && PYTHONPATH='$(CURDIR)/build/python' LACUNA_PROGRAM='$(CURDIR)/$(LACUNA)' \
	   '$(CURDIR)/build/venv-engines/bin/python3' -B -m pytest -q -rs -p no:cacheprovider test_engines.py

# The tests of back end mpi on 1, 2, 3 and 4 ranks; `make test` has those on 2.
ranks: mpi
	@cmake --build --preset release --target test_conformance test_machine test_loo
	@LACUNA_BUILD='$(CURDIR)/build' python3 -B tests/deep/ranks.py

# 30 times one of two ranks is killed at a random moment: in a fit, one on a basis, and a validation.
kill-ranks: mpi
	@LACUNA_PROGRAM='$(CURDIR)/$(LACUNA)' python3 -B tests/deep/kill_ranks.py

# A kernel, a loss and a criterion added to a copy of the tree, each by its file and one place; builds the program anew.
add-an-entry: setup
	@python3 -B tests/deep/add_an_entry.py build-entry

sanitize: setup-deep
	@cmake --preset sanitize -Wno-dev
	@cmake --build --preset sanitize
	@ctest --preset sanitize

# Bytes that change all the time go on for FUZZ_SECONDS; files with changed fields are counted, FUZZ_RUNS of each kind.
fuzz: setup-deep
	@cmake --preset fuzz -Wno-dev
	@cmake --build --preset fuzz
	@for name in fuzz_csv fuzz_libsvm fuzz_model_file fuzz_model_fields fuzz_journal; do \
	   case $$name in fuzz_model_fields|fuzz_journal) until="-runs=$(FUZZ_RUNS) -len_control=0 -max_len=96";; \
	     *) until="-max_total_time=$(FUZZ_SECONDS)";; esac; \
	   mkdir -p build-fuzz/corpus/$$name && echo "$$name $$until" && \
	   OMP_NUM_THREADS=1 build-fuzz/bin/$$name $$until -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
	     -artifact_prefix=build-fuzz/ build-fuzz/corpus/$$name || exit 1; \
	 done

SOURCES = $(shell git ls-files '*.cpp' '*.hpp')
format: setup-deep
	@clang-format -i $(SOURCES)

# Every file by itself and without precompiled headers, which Clang could not read; so a file that lacks an include is
# found.
tidy: setup-deep
	@cmake --preset dev -B build-tidy -Wno-dev -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DLACUNA_BATCHES=OFF
	@git ls-files '*.cpp' | grep -vE '^(tests/fuzz|tests/install|benchmarks)/' | \
	   xargs -P $(CTEST_PARALLEL_LEVEL) -n 1 clang-tidy -quiet -p build-tidy

install: build
	@cmake --install build --prefix '$(PREFIX)'

clean:
	@rm -rf build build-entry build-python build-wheel build-dev build-tidy build-sanitize build-fuzz demo
