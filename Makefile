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

.PHONY: help setup setup-deep build demo test bench check-deep sanitize fuzz kill-matrix format tidy install clean

help:
	@echo 'make demo        install what is missing, build, fit a small problem and predict new rows'
	@echo 'make test        install what is missing, build, run every test'
	@echo 'make build       the program, at build/bin/lacuna'
	@echo 'make bench       speed, as ratios to bare OpenBLAS and to refitting'
	@echo 'make check-deep  tests under sanitizers, fuzzers (FUZZ_SECONDS=$(FUZZ_SECONDS), FUZZ_RUNS=$(FUZZ_RUNS)), kills'
	@echo 'make format      clang-format over the sources'
	@echo 'make tidy        clang-tidy over the sources'
	@echo 'make install     into PREFIX=$(PREFIX)'
	@echo 'make clean       remove the build folders and demo/'

setup:
	@scripts/setup.sh

setup-deep:
	@scripts/setup.sh --deep

build: setup
	@cmake --preset release -Wno-dev
	@cmake --build --preset release

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
	@echo 'Model in demo/model.lacuna, predictions in demo/predictions.csv.'

test: build
	@ctest --preset release

bench: build
	@failed=0; for program in build/bin/bench_*; do echo "== $$(basename $$program)"; $$program || failed=1; done; \
	 exit $$failed

check-deep: sanitize fuzz kill-matrix

# 1,200 runs that are killed at random moments; some minutes.
kill-matrix: build
	@LACUNA_PROGRAM='$(CURDIR)/$(LACUNA)' python3 -B tests/deep/kill_matrix.py --kills $(KILLS)

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

tidy: setup-deep
	@cmake --preset dev -Wno-dev
	@git ls-files '*.cpp' | grep -vE '^(tests/fuzz|tests/install|benchmarks)/' | \
	   xargs -P $(CTEST_PARALLEL_LEVEL) -n 1 clang-tidy -quiet -p build-dev

install: build
	@cmake --install build --prefix '$(PREFIX)'

clean:
	@rm -rf build build-dev build-sanitize build-fuzz demo
