# Shoal: `make run` to try it, `make test` to check it. `make help` lists the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# A target imports only what Package.swift lists for it, and a warning is an error.
strict := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
# Tests and debug builds are strict on request (STRICT=1), as in .ci/run.
flags := $(if $(STRICT),$(strict))

.PHONY: help deps deps-build deps-runtime swift run test build lint bench release sweep-clients clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r target text; do \
	    printf '  make %-14s%s\n' "$$target" "$$text"; done

swift:
	@command -v swift >/dev/null || { \
	    echo "Swift 6.2 or later is missing: https://www.swift.org/install/linux/" >&2; exit 1; }

deps: swift ## install the Debian packages that building and testing need
	@packaging/install build test

deps-build: swift ## install the Debian packages that building needs
	@packaging/install build

deps-runtime: ## install the Debian packages that the finished program needs
	@packaging/install runtime

run: deps release ## build a release and serve on the default port, with an upload to try
	@packaging/run

test: deps ## run every test that this machine can run
	@packaging/clients
	swift build --build-tests $(flags)
	swift test --parallel $(flags)

build: deps-build ## build for debugging
	swift build $(flags)

release: deps-build ## build .build/release/shoal, with the Swift runtime inside
	swift build -c release --static-swift-stdlib $(strict)

lint: swift ## check the layout of the sources
	swift format lint --strict -r Sources Tests Package.swift

bench: release ## measure against other servers and the machine's own limits
	bench/run.sh

sweep-clients: deps release ## sweep real clients, a browser too, and write docs/sweep-clients.md; takes half an hour
	@packaging/install browser
	@packaging/clients
	python3 Tests/ClientTests/Sweeps/regenerate.py

clean: ## remove what was built and installed here
	rm -rf .build .venv bench/.tools bench/.run bench/out
