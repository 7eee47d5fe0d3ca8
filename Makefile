# ipatlas. `make help` lists the targets.

SHELL := /bin/bash
.DEFAULT_GOAL := help
SOURCES := $(shell find pipeline server fixtures \( -name '*.ts' -o -name '*.cts' \) 2>/dev/null)
GUIDES := $(shell find *.md pipeline server fixtures -name '*.md' 2>/dev/null)
IPATLAS := node dist/pipeline/main.js
# .ci/install-redis unpacks redis-server there where it cannot install it.
export PATH := $(PATH):$(or $(OUTPUT),$(OUTPUT_DIR),$(CURDIR)/output)/redis-server

.PHONY: help build-data serve worker evaluate calibrate test check conformance bench fuzz soak clients fetch key clean redis oracles reference screenshots

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  FEEDS=dir make build-data   build from dir/<feed id>/<file name> instead of the sample feeds'
	@echo '  FEEDS=live make build-data  download new files, then build'
	@echo '  $(IPATLAS) --help   all commands'

# A build with a release is a success of make, also if some inputs were not used (exit code 3 of the command) or a rollback
# holds an older release (4). STRICT=1 makes both a failure.
build-data: dist/.built redis ## build and publish a release in output/ (STRICT=1: fail with exit codes 3 and 4)
	@$(IPATLAS) build $(ARGS) || { code=$$?; [[ $$code =~ ^[34]$$ ]] && [ -z '$(STRICT)' ] || exit $$code; }

worker: dist/.built redis ## run jobs of a build that was started elsewhere (same REDIS_URL and STORE, or same OUTPUT)
	@$(IPATLAS) worker

evaluate: dist/.built ## measure accuracy against known locations: make evaluate TRUTH=file [OPERATORS=file]
	@if [ -z '$(TRUTH)' ]; then echo 'make evaluate: TRUTH is missing: make evaluate TRUTH=places.csv (CSV: prefix,country,region,city)'; exit 64; fi
	@$(IPATLAS) evaluate --truth '$(TRUTH)' $(if $(OPERATORS),--operators '$(OPERATORS)') $(ARGS)

calibrate: dist/.built ## fit the tables of the merge to stated places: make calibrate [TRUTH=file OPERATORS=file]
	@$(IPATLAS) calibrate $(if $(TRUTH),--truth '$(TRUTH)') $(if $(OPERATORS),--operators '$(OPERATORS)') $(ARGS)

test: dist/.built redis ## run the tests: all of them, or ARGS=dist/pipeline/net/prefix.test.js
	@node dist/pipeline/testing/run-tests.js $(ARGS)

check: dist/.built ## types, lint, format, then layering and all tests
	npx tsc -p . --noEmit
	npx tsc -p server/pages/browser --noEmit
	npx eslint .
	npx prettier --check .
	@$(MAKE) --no-print-directory test

conformance: dist/.built redis ## check the API against its reference: a server of its own on the loopback, or URL=https://…
	@$(if $(URL),$(IPATLAS) conformance '$(URL)' $(ARGS),node dist/server/testing/conformance-here.js)

screenshots: dist/.built redis ## take the pictures of server/pages/README.md from the release in OUTPUT (needs Chromium)
	@OUTPUT='$(or $(OUTPUT),$(OUTPUT_DIR),output)' node dist/server/testing/screenshots-here.js

reference: dist/.built ## write server/api.md from the schemas of the routes
	@node dist/server/openapi/write-reference.js

bench: dist/.built redis ## compare the speed with other software; SCALE=25000000 builds a generated data set of that many rows
	@SCALE='$(SCALE)' node --max-old-space-size=8000 dist/pipeline/bench.js $(ARGS)

serve: dist/.built redis ## serve the API from the current release, on PORT (8080)
	@[ -e '$(or $(OUTPUT),$(OUTPUT_DIR),output)/current' ] || echo 'make serve: no release yet: run "make build-data"; the release is served as soon as it is published.'
	@exec node --max-semi-space-size=32 dist/pipeline/main.js serve $(ARGS)

fuzz: dist/.built redis ## run a million damaged inputs through every reader, 40 minutes (ARGS='--seed 7 --only mmdb --inputs 20000')
	@node dist/pipeline/fuzz.js $(ARGS)

soak: dist/.built redis ## build for nights while processes are killed, inputs torn and disks filled: 1,000 kills, resumable (ARGS='--kills 100')
	@node dist/pipeline/soak.js $(ARGS)

clients: dist/.built redis ## ask other readers of MMDB files about a release and write the table of server/datasets/README.md (ARGS=--install)
	@OUTPUT='$(or $(OUTPUT),$(OUTPUT_DIR))' node dist/pipeline/clients.js $(ARGS)

fetch: dist/.built ## download the publishers' files into output/downloads, for FEEDS=live (ARGS='--only own')
	@$(IPATLAS) fetch $(ARGS)

key: dist/.built redis ## create an API key and print it: make key EMAIL=a@example.com [PLAN=pro]
	@if [ -z '$(EMAIL)' ]; then echo 'make key: EMAIL is missing: make key PLAN=pro EMAIL=a@example.com' >&2; exit 64; fi
	@$(IPATLAS) key create --quiet --email '$(EMAIL)' --plan '$(or $(PLAN),free)' $(ARGS)

clean: ## remove compiled files and caches; releases are kept
	rm -rf dist .tap output/cache output/redis

# Packages and compiled files are made again when their sources change.
node_modules/.installed: package.json package-lock.json
	@echo 'Installing packages (npm ci) …'
	@npm ci --no-progress --loglevel=error
	@touch $@

dist/.compiled: node_modules/.installed tsconfig.json server/pages/browser/tsconfig.json $(SOURCES)
	@rm -rf dist
	@npx tsc -p .
	@npx tsc -p server/pages/browser
	@touch $@

# The pages of the server contain the guides.
dist/.built: dist/.compiled $(GUIDES)
	@node dist/server/pages/write-assets.js
	@touch $@

# Each build starts a private redis-server: only the binary is needed, not a service.
redis:
	@.ci/install-redis

oracles: ## install the independent readers that some tests compare with (Debian)
	@.ci/install-oracles
