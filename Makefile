# Each target except `bench` and `image` first installs missing packages and tools with .make/setup.

.PHONY: run cluster test check gen package image bench load soak lighthouse
.DEFAULT_GOAL := run

run: ## run the portal with demonstration data at 127.0.0.1:PORT [default: 8080], with its data in DATA [default: .data]
	@.make/setup run
	@exec env $(if $(PORT),PORT=$(PORT)) $(if $(DATA),DATA=$(DATA)) .make/run

cluster: ## run the portal as a cluster of processes at 127.0.0.1:PORT [default: 8080], with its data in DATA [default: .data/cluster] (see .make/cluster)
	@.make/setup cluster
	@exec env $(if $(PORT),PORT=$(PORT)) $(if $(DATA),DATA=$(DATA)) .make/cluster

test: ## run all tests: Rust with a real Postgres, web app, page generator, browser
	@.make/setup test
	@.make/test all

check: ## check format, lints, documentation, layers, types, dependencies, generated files and links
	@.make/setup check
	@.make/test check

gen: ## generate the OpenAPI document and its TypeScript types
	@.make/setup run
	@.make/test gen

package: ## make the Debian package in .data/package, install it on a fresh Debian, and check the container files
	@.make/setup package
	@.make/package all

image: ## build the container image with Docker
	@.make/package image

bench: ## run the benchmarks with the files TENDERS, ALERTS and NOTICES (see .make/bench)
	@.make/bench

load: ## measure the portal under load beside nginx, with a build in BIN or a new one (see .make/load)
	@.make/setup load
	@.make/load

lighthouse: ## measure five pages with Lighthouse, which is downloaded; the results are medians of RUNS runs [default: 5]
	@.make/setup lighthouse
	@.make/test lighthouse

soak: ## kill the processes of a portal at random for MINUTES [default: 10], and check that nothing is lost or done twice (see .make/soak)
	@.make/soak
