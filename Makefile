# Each target except `bench` first installs missing packages and tools with .make/setup.

.PHONY: run test check gen bench lighthouse
.DEFAULT_GOAL := run

run: ## run the portal with sample newspapers at 127.0.0.1:$(PORT); data in $(DATA)
	@.make/setup run
	@exec env $(if $(PORT),PORT=$(PORT)) $(if $(DATA),DATA=$(DATA)) .make/run

test: ## run all tests: Rust with a real Postgres, web unit tests, the page generator's tests, browser tests
	@.make/setup test
	@.make/test all

check: ## check format, lints, documentation, layers, types, dependencies, generated files and links
	@.make/setup check
	@.make/test check

gen: ## generate the OpenAPI document and its TypeScript types
	@.make/setup run
	@.make/test gen

bench: ## run the benchmarks on the files TENDERS, ALERTS and NOTICES (see .make/bench)
	@.make/bench

lighthouse: ## measure three pages with Lighthouse (downloaded on demand), each as the median of RUNS runs [default: 5]
	@.make/setup lighthouse
	@.make/test lighthouse
