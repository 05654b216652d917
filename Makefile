# Each target sets up what it needs first; see the files in .make for how.

.PHONY: run test check gen bench lighthouse
.DEFAULT_GOAL := run

run: ## the portal with ingested newspapers at 127.0.0.1:$(PORT); state under $(DATA)
	@.make/setup run
	@exec env $(if $(PORT),PORT=$(PORT)) $(if $(DATA),DATA=$(DATA)) .make/run

test: ## every test: Rust on a real Postgres, web units, a browser on the real server
	@.make/setup test
	@.make/test all

check: ## format, lints as errors, types, layers, dependencies, freshness of generated files
	@.make/setup check
	@.make/test check

gen: ## the OpenAPI document and the TypeScript types made from it
	@.make/setup run
	@.make/test gen

bench: ## matching and search beside their peers: TENDERS, ALERTS, NOTICES say which files (see benches/README.md)
	@.make/bench

lighthouse: ## how fast and accessible three pages are, by Lighthouse, which is fetched for it: the median of RUNS runs, else five
	@.make/setup test
	@.make/test lighthouse
