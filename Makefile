# ipatlas. `make help` lists the targets.

SHELL := /bin/bash
.DEFAULT_GOAL := help
SOURCES := $(shell find pipeline server fixtures \( -name '*.ts' -o -name '*.cts' \) 2>/dev/null)
IPATLAS := node dist/pipeline/main.js

.PHONY: help build-data serve worker evaluate test check conformance bench fetch key clean redis oracles

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  FEEDS=dir make build-data   reads the publishers'"'"' files from dir/<feed id>/ instead of fixtures/feeds'
	@echo '  FEEDS=live make build-data  downloads what is due and builds from that'
	@echo '  $(IPATLAS) --help   everything else'

build-data: dist/.built redis ## build and publish a release into output/
	@$(IPATLAS) build $(ARGS)

worker: dist/.built redis ## help a running build from another process (same REDIS_URL and output/)
	@$(IPATLAS) worker

evaluate: dist/.built ## measure the feeds and the merge: make evaluate TRUTH=file [OPERATORS=file]
	@if [ -z '$(TRUTH)' ]; then echo 'make evaluate: name a file of known places (CSV: prefix,country,region,city), as in make evaluate TRUTH=places.csv'; exit 64; fi
	@$(IPATLAS) evaluate --truth '$(TRUTH)' $(if $(OPERATORS),--operators '$(OPERATORS)') $(ARGS)

test: dist/.built redis ## run the tests
	@npx tap $(ARGS)

check: dist/.built ## types, lint, format, then layering and all tests
	npx tsc -p . --noEmit
	npx eslint .
	npx prettier --check .
	@$(MAKE) --no-print-directory test

conformance: dist/.built redis ## hold a service against its description: one of its own on the loopback, or URL=https://…
	@$(if $(URL),$(IPATLAS) conformance '$(URL)' $(ARGS),node dist/server/testing/conformance-here.js)

bench: dist/.built redis ## measure against peers; SCALE=25000000 for a whole night at that many rows
	@SCALE='$(SCALE)' node --max-old-space-size=8000 dist/pipeline/bench.js $(ARGS)

serve: dist/.built redis ## answer the API from output/current, on PORT (8080)
	@[ -e '$(or $(OUTPUT),$(OUTPUT_DIR),output)/current' ] || echo 'make serve: there is no release yet; "make build-data" makes one, and it is served as soon as it is there.'
	@exec $(IPATLAS) serve $(ARGS)

fetch: dist/.built ## download the publishers' files into output/downloads, for FEEDS=live (ARGS='--only own')
	@$(IPATLAS) fetch $(ARGS)

key: dist/.built redis ## create an API key and print it: make key EMAIL=a@example.com [PLAN=pro]
	@if [ -z '$(EMAIL)' ]; then echo 'make key: say whose it is, as in make key PLAN=pro EMAIL=a@example.com' >&2; exit 64; fi
	@$(IPATLAS) key create --quiet --email '$(EMAIL)' --plan '$(or $(PLAN),free)' $(ARGS)

clean: ## remove what was compiled and cached; releases stay
	rm -rf dist .tap output/cache output/redis

# Installed and compiled again whenever what they come from has changed.
node_modules/.installed: package.json package-lock.json
	@echo 'Installing packages (npm ci) …'
	@npm ci --no-progress --loglevel=error
	@touch $@

dist/.built: node_modules/.installed tsconfig.json $(SOURCES)
	@rm -rf dist
	@npx tsc -p .
	@touch $@

# A private redis-server is started for every build: only its binary is needed, no service.
redis:
	@.ci/install-redis

oracles: ## install the independent readers that tests compare with (Debian)
	@.ci/install-oracles
