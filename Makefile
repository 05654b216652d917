# Each target first installs missing packages and tools with the scripts in .make.

.PHONY: run test check gen bench lighthouse
.DEFAULT_GOAL := run

run: ## run the portal with sample newspapers at 127.0.0.1:$(PORT); data in $(DATA)
	@.make/setup run
	@exec env $(if $(PORT),PORT=$(PORT)) $(if $(DATA),DATA=$(DATA)) .make/run

test: ## run all tests: Rust with a real Postgres, web unit tests, browser tests
	@.make/setup test
	@.make/test all

check: ## format, lints as errors, types, layers, dependencies, freshness of generated files
	@.make/setup check
	@.make/test check

gen: ## generate the OpenAPI document and its TypeScript types
	@.make/setup run
	@.make/test gen

bench: ## run the benchmarks on the files TENDERS, ALERTS, NOTICES (see benches/README.md)
	@.make/bench

lighthouse: ## measure three pages with Lighthouse (downloaded on demand): the median of RUNS runs, 5 by default
	@.make/setup lighthouse
	@.make/test lighthouse
