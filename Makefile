# Everything a person types. Each target installs what it needs that is missing.

.PHONY: run test test-api test-all check bench torture shots dev web types letters clean
.DEFAULT_GOAL := run

# Arguments for the shop: make run ARGS="--listen 127.0.0.1:9000"
ARGS ?=

run: web
	cargo build --release --bin haat
	./target/release/haat serve --demo $(ARGS)

test: node_modules
	@scripts/need chromium openssl postgres
	@scripts/test

# Requests generated from the API's description: the shop does what it says.
test-api: web
	@scripts/need venv
	cargo build --locked --bin haat
	@scripts/test-api

# The same with every journey on both databases, and the above.
test-all:
	HAAT_TEST_ALL=1 $(MAKE) test
	$(MAKE) test-api

check: web
	cargo fmt --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cd web && npm run --silent check

bench: web
	@scripts/need chromium postgres
	cargo build --release --locked --workspace
	scripts/with-postgres ./target/release/bench
	node web/bench/lighthouse.mjs

# 64 buyers, ten thousand attempts, servers and database killed under them: nothing is lost or sold twice.
torture: web
	@scripts/need postgres
	cargo build --release --locked -p server -p bench
	scripts/with-postgres ./target/release/bench torture

# Every page as a picture, at every width, light and dark, in shots/.
shots: web
	@scripts/need chromium
	cargo build --bin haat
	cd web && HAAT_TEST_SHOTS=../shots npx playwright test --project shots

dev: web
	@scripts/dev $(ARGS)

# The storefront's files, which the program holds inside.
web: node_modules
	cd web && npm run --silent build

# The browser's types, from the Rust structs.
types: node_modules
	cargo run --quiet -p server --example types > web/src/lib/api.gen.ts.new
	mv web/src/lib/api.gen.ts.new web/src/lib/api.gen.ts

.PHONY: node_modules
node_modules:
	@scripts/need node
	@scripts/npm-install

# The letters that the tests hold ours against, as they are now: look at what changed before you commit.
letters:
	HAAT_TEST_RENEW_LETTERS=1 cargo test --quiet -p server --test server letters::sqlite

clean:
	rm -rf target shots web/dist web/dist-dev web/node_modules web/test-results
