# All commands. Each target installs what it needs.

.PHONY: run test test-api test-all check bench torture dist build build-times shots dev types email-snapshots clean
.DEFAULT_GOAL := run

# Arguments for the shop: make run ARGS="--listen 127.0.0.1:9000"
ARGS ?=

run: build
	./target/debug/haat serve --demo $(ARGS)

# The program with the embedded storefront, in the profile that run, dev and test share.
build:
	@scripts/build

# The release build, with link-time optimisation and AVIF: target/dist/haat.
dist: web
	cargo build --profile dist --locked --features server/avif --bin haat

test:
	@scripts/need node headless-shell openssl postgres
	@scripts/test

# Tests the API with requests generated from its OpenAPI description.
test-api: build
	@scripts/need venv
	@scripts/test-api

# Tests that take too long for every change: all browser tests on both databases, pictures with AVIF, the full
# crash test, and the above.
test-all: web
	HAAT_TEST_ALL=1 $(MAKE) test
	scripts/with-postgres cargo test --locked --features server/avif -p picture -p media -p shop -p server
	$(MAKE) test-api
	$(MAKE) torture

check: web
	cargo fmt --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cd web && npm run --silent check

# The compile time of each crate, the slowest first, from a clean build.
build-times: web
	@scripts/build-times

bench: web
	@scripts/need chromium postgres
	cargo build --profile dist --locked --features server/avif,bench/avif --bins
	scripts/with-postgres ./target/dist/bench
	node web/bench/lighthouse.mjs

# The crash test: 64 buyers, ten thousand orders, servers and database are killed; nothing is lost or sold twice.
torture: web
	@scripts/need postgres
	cargo build --profile dist --locked --features server/avif,bench/avif --bins
	scripts/with-postgres ./target/dist/bench torture

# Screenshots of every page, at every width, in shots/: in English and Bangla, light and dark, and in two
# pseudo-locales, of which one has long words and the other is written from right to left.
shots: node_modules build
	@scripts/need headless-shell
	npm --prefix web run --silent build:pseudo
	cd web && HAAT_TEST_SHOTS=../shots npx playwright test --project shots

dev: node_modules
	@scripts/dev $(ARGS)

# The storefront's build, which the program embeds.
.PHONY: web
web: node_modules
	@scripts/web

# The browser's TypeScript types, generated from the Rust structs.
types: node_modules
	cargo run --quiet -p server --example types > web/src/lib/api.gen.ts.new
	mv web/src/lib/api.gen.ts.new web/src/lib/api.gen.ts

.PHONY: node_modules
node_modules:
	@scripts/need node
	@scripts/npm-install

# Updates the e-mail snapshots of the tests: review the changes before you commit.
email-snapshots:
	HAAT_TEST_UPDATE_EMAIL_SNAPSHOTS=1 cargo test --quiet -p server --test server emails:: -- --skip postgres

clean:
	rm -rf target shots web/dist web/dist-dev web/dist-pseudo web/node_modules web/test-results
