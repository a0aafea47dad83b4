PREFIX ?= /usr/local
LOG ?= /var/log/dpkg.log
export LOG

help: ## show this
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

reference: ## write the reference of the C API to build/reference, the manual to build/man
	@scripts/setup
	scripts/api reference build/reference
	scripts/api manual build/man

docs: ## the site, to build/site
	@scripts/setup docs
	scripts/site

test-docs: docs ## the site's links, and its pages in a headless Chromium
	@scripts/setup browser
	python3 Tests/Docs/site_links.py build/site
	python3 Tests/Docs/site_browser.py build/site build/site-pictures

demo: ## build, install to build/stage, build logwatch against that, run it on LOG
	@scripts/setup
	@scripts/demo

test: ## every test, Swift and C, release and checked
	@scripts/setup test
	@scripts/test

test-options: ## the library built without each of its options
	@scripts/setup test
	@scripts/test-options

test-arm64: ## the C tests for ARM64, under qemu; with SEED=n a tenth of them
	@scripts/setup arm64
	@scripts/test-arm64 $(SEED)

explore: ## every interleaving of small programs of threads, in ten minutes at most
	@scripts/setup
	cmake --preset explore
	cmake --build build/explore --target explorer
	build/explore/explorer

bench: ## measure against raw C, libuv, libsigc++, boost and GLib
	@scripts/setup bench
	cmake --preset release -DBELAY_BUILD_BENCHMARKS=ON
	cmake --build build/release --target bench
	swift build -c release --product native-bench
	Benchmarks/run.sh build/release
	BELAY_PREFIX=$(CURDIR)/build/release sh bindings/python/test.sh bench || [ $$? = 77 ]
	Benchmarks/relay.sh build/release

sanitize: ## C's and Swift's tests under AddressSanitizer, LeakSanitizer and ThreadSanitizer
	@scripts/setup test
	@scripts/sanitize

mutants: ## break the core in one place after the other; an hour and more
	@scripts/mutants

release: ## all of a release, tried, to an empty dist/: sources, packages for each language; FINAL=1: to publish
	@scripts/release

source-release: ## the source release, which needs no Swift, to dist/
	@scripts/setup
	@scripts/source-release

reproduce: ## make the source release of this machine's processor twice, in two folders; the same bytes
	@scripts/setup
	DRAFT=1 DIST=build/reproduced scripts/source-release $$(uname -m)
	DRAFT=1 DIST=build/reproduced scripts/reproduce $$(uname -m)

deb: source-release ## that and Debian packages of it, to dist/, tried in a Debian that has nothing else
	@scripts/setup deb
	CHECK=1 scripts/deb
	scripts/test-deb

test-packages: ## the Debian packages of this tree, in a Debian that has nothing else
	@scripts/setup deb
	@rm -rf build/packages
	DRAFT=1 DIST=build/packages scripts/source-release $$(uname -m)
	DIST=build/packages scripts/deb
	DIST=build/packages scripts/test-deb packages

wheel: ## the Python wheel of this machine, to dist/, tried where no compiler is
	@scripts/setup wheel
	cmake --preset release
	cmake --build build/release --target belay_libraries
	scripts/wheel

npm-pack: ## the npm package of this machine, to dist/, tried where no compiler is
	@scripts/setup bindings
	cmake --preset release
	cmake --build build/release --target belay_libraries
	scripts/npm-pack

crates: source-release ## that and the Rust crates, to dist/, tried without a registry
	@scripts/setup bindings
	cmake --preset release
	cmake --build build/release --target belay_libraries
	scripts/crates

install: ## build the release and install it to PREFIX (DESTDIR is honoured)
	@scripts/setup
	cmake --preset release "-DCMAKE_INSTALL_PREFIX=$(PREFIX)"
	cmake --build build/release --target belay_libraries
	scripts/api manual build/release/man
	umask 022 && cmake --install build/release # CMake makes folders for everybody only then
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

lint: ## check the format of the Swift sources, the lengths of lines and files, and what is there twice
	@scripts/lint

format: ## rewrite the Swift sources' format, and C's where clang-format is
	swift format --in-place --recursive Sources Tests Package.swift
	@if command -v clang-format >/dev/null; then \
	  find include Hosts Sources Tests Examples Benchmarks -name '*.[ch]' -exec clang-format -i {} +; fi

clean: ## remove what was built
	rm -rf build .build

.PHONY: help reference docs test-docs demo test test-options test-packages test-arm64 explore bench sanitize mutants release source-release reproduce deb wheel npm-pack crates install lint format clean
