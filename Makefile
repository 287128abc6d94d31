# Everything a person types. Each target installs what it needs that is missing.

.PHONY: run test test-api test-all check bench torture dist build build-times shots dev types letters clean
.DEFAULT_GOAL := run

# Arguments for the shop: make run ARGS="--listen 127.0.0.1:9000"
ARGS ?=

run: build
	./target/debug/haat serve --demo $(ARGS)

# The program with the storefront inside, in the profile that run, dev and test share.
build:
	@scripts/build

# What is shipped: the same with link-time optimisation and AVIF, target/dist/haat.
dist: web
	cargo build --profile dist --locked --features server/avif --bin haat

test:
	@scripts/need node headless-shell openssl postgres
	@scripts/test

# Requests generated from the API's description: the shop does what it says.
test-api: build
	@scripts/need venv
	@scripts/test-api

# What is too long for every change: every journey on both databases, pictures with AVIF, the full torture,
# and the above.
test-all: web
	HAAT_TEST_ALL=1 $(MAKE) test
	scripts/with-postgres cargo test --locked --features server/avif -p picture -p media -p shop -p server
	$(MAKE) test-api
	$(MAKE) torture

check: web
	cargo fmt --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cd web && npm run --silent check

# How long each crate takes to compile, the slowest first: a build of all of it into an empty folder.
build-times: web
	@scripts/build-times

bench: web
	@scripts/need chromium postgres
	cargo build --profile dist --locked --features server/avif,bench/avif --bins
	scripts/with-postgres ./target/dist/bench
	node web/bench/lighthouse.mjs

# 64 buyers, ten thousand attempts, servers and database killed under them: nothing is lost or sold twice.
torture: web
	@scripts/need postgres
	cargo build --profile dist --locked --features server/avif,bench/avif --bins
	scripts/with-postgres ./target/dist/bench torture

# Every page as a picture, at every width, light and dark, in shots/.
shots: node_modules build
	@scripts/need headless-shell
	cd web && HAAT_TEST_SHOTS=../shots npx playwright test --project shots

dev: node_modules
	@scripts/dev $(ARGS)

# The storefront's files, which the program holds inside.
.PHONY: web
web: node_modules
	@scripts/web

# The browser's types, from the Rust structs.
types: node_modules
	cargo run --quiet -p server --example types > web/src/lib/api.gen.ts.new
	mv web/src/lib/api.gen.ts.new web/src/lib/api.gen.ts

.PHONY: node_modules
node_modules:
	@scripts/need node
	@scripts/npm-install

# The e-mails that the tests hold ours against, as they are now: look at what changed before you commit.
letters:
	HAAT_TEST_RENEW_LETTERS=1 cargo test --quiet -p server --test server letters::sqlite

clean:
	rm -rf target shots web/dist web/dist-dev web/node_modules web/test-results
