# The only door: people and CI call these targets.
.PHONY: build run check test quick lint audit bench bench-http clean dist deps-dist deps-lint deps-feeds deps-api deps-hosts deps-mcp deps-postgres deps-ship deps-site hosts-netlify test-feeds test-api test-hosts test-mcp test-postgres test-ship test-site test-subscriber

CARGO ?= cargo
LOCKED = --locked

# What cargo builds, and the tools that tests install.
TARGET := $(or $(CARGO_TARGET_DIR),target)

build: ## release programs, and the site into public/
	$(CARGO) build --release $(LOCKED)
	$(TARGET)/release/candor build

# The profile of the tests, so that `make test` compiles the dependencies no second time.
run: ## the sample business on http://127.0.0.1:8080, rebuilt on every change
	$(CARGO) build $(LOCKED)
	exec $(TARGET)/debug/candor serve

check: ## every problem of content/
	$(CARGO) run $(LOCKED) --quiet --bin candor -- check

test: ## everything that needs no extra install
	$(CARGO) test --workspace $(LOCKED)

quick: ## while working: formatting, the compiler's errors, unit tests, problems of content/
	$(CARGO) fmt --all -- --check
	$(CARGO) test --workspace $(LOCKED) --lib --quiet
	$(CARGO) run $(LOCKED) --quiet --bin candor -- check

deps-feeds:
	python3 -m venv $(TARGET)/venv-feeds && $(TARGET)/venv-feeds/bin/pip install --quiet -r tests/feeds/requirements.txt
	npm ci --prefix tests/feeds --no-audit --no-fund --loglevel=error

test-feeds: deps-feeds ## both feeds read by other people's software, and RFC 4287 rule by rule
	$(CARGO) build $(LOCKED) --bin candor --example corpus
	$(TARGET)/venv-feeds/bin/python -B tests/feeds/run.py --candor $(TARGET)/debug/candor --corpus $(TARGET)/debug/examples/corpus

deps-mcp:
	python3 -m venv $(TARGET)/venv-mcp && $(TARGET)/venv-mcp/bin/pip install --quiet -r tests/mcp/requirements.txt
	npm ci --prefix tests/mcp --no-audit --no-fund --loglevel=error

test-mcp: deps-mcp ## the MCP server asked by the conformance suite, the Inspector and the official clients
	$(CARGO) build $(LOCKED) --bin candor --bin candor-sidecar
	$(CARGO) build $(LOCKED) -p sidecar --features conformance --example conformance
	$(TARGET)/venv-mcp/bin/python -B tests/mcp/run.py

deps-api:
	python3 -m venv $(TARGET)/venv-api && $(TARGET)/venv-api/bin/pip install --quiet -r tests/api/requirements.txt
	npm ci --prefix tests/api --no-audit --no-fund --loglevel=error

test-api: deps-api ## openapi.json linted, and the running service held to it by made-up requests
	$(CARGO) build $(LOCKED) --bin candor --bin candor-sidecar
	$(TARGET)/venv-api/bin/python -B tests/api/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar

deps-site: # a browser, a Java machine and curl, where the system has none
	@for have in chromium:chromium java:default-jre-headless curl:curl; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $$need; }
	npm ci --prefix tests/site --no-audit --no-fund --loglevel=error

test-site: deps-site ## every page: two validators, a browser in both schemes, accessibility, the developer pages' commands
	$(CARGO) build $(LOCKED) --bin candor --bin candor-sidecar
	python3 -B tests/site/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar

deps-hosts: # web servers where the system has none; Cloudflare's runtime; a Caddy that reads tags from files
	@for have in nginx:nginx apache2:apache2-bin caddy:caddy; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -f /usr/lib/nginx/modules/ngx_http_brotli_static_module.so ] || need="$$need libnginx-mod-http-brotli-static"; \
	[ -f /etc/mime.types ] || need="$$need media-types"; \
	[ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq -y --no-install-recommends $$need; }
	python3 -m venv $(TARGET)/venv-hosts && $(TARGET)/venv-hosts/bin/pip install --quiet -r tests/hosts/requirements.txt
	npm ci --prefix tests/hosts --no-audit --no-fund --loglevel=error

test-hosts: deps-hosts ## real web servers and platforms, asked the whole request matrix for every document
	$(CARGO) build $(LOCKED) --bin candor --bin candor-sidecar
	python3 -B tests/hosts/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar

hosts-netlify: deps-hosts ## the same of netlify dev: heavy, and it proves little of production
	$(CARGO) build $(LOCKED) --bin candor --bin candor-sidecar
	npm install --prefix $(TARGET)/netlify --no-save --no-audit --no-fund --loglevel=error netlify-cli@26
	python3 -B tests/hosts/run.py --candor $(TARGET)/debug/candor --sidecar $(TARGET)/debug/candor-sidecar netlify

deps-postgres:
	command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		{ apt-get update -qq && apt-get install -y -qq postgresql >/dev/null; }

test-postgres: deps-postgres ## the hub's tests against a PostgreSQL of their own
	CARGO="$(CARGO)" tests/postgres/run

test-subscriber: ## the subscriber of docs/hub.md, on this machine
	sidecar/examples/subscriber/run

deps-ship: $(TARGET)/tools/bin/promtool # linters of what is shipped, and systemd's judgement of the unit
	@for have in shellcheck:shellcheck strace:strace systemd-analyze:systemd; do \
		command -v $${have%%:*} >/dev/null || need="$$need $${have#*:}"; \
	done; [ -z "$$need" ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $$need; }
	python3 -m venv $(TARGET)/venv-ship && $(TARGET)/venv-ship/bin/pip install --quiet -r tests/ship/requirements.txt
	npm ci --prefix tests/ship --no-audit --no-fund --loglevel=error

# The tool alone: the package would start a server.
$(TARGET)/tools/bin/promtool:
	mkdir -p $(TARGET)/tools/bin $(TARGET)/tools/deb
	cd $(TARGET)/tools/deb && { apt-get download -qq prometheus || { apt-get update -qq && apt-get download -qq prometheus; }; }
	dpkg-deb --fsys-tarfile $(TARGET)/tools/deb/prometheus_*.deb | tar -xO ./usr/bin/promtool > $@.part
	chmod +x $@.part && mv $@.part $@ && rm -r $(TARGET)/tools/deb

test-ship: deps-ship ## packing, image, unit, workflows, alerts, runbook, and the commands of docs/deploy.md
	$(CARGO) build $(LOCKED) --bin candor --bin candor-sidecar
	$(TARGET)/venv-ship/bin/python -B tests/ship/run.py

lint: deps-lint ## formatting, clippy, docs, dependencies
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets --all-features $(LOCKED) -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps $(LOCKED)
	python3 -B tests/lint/module_cycles.py --self-test
	python3 -B tests/lint/module_cycles.py crates/contract crates/insights generator sidecar
	$(TARGET)/tools/bin/cargo-machete crates generator sidecar
	$(TARGET)/tools/bin/cargo-deny --all-features check licenses bans sources

audit: deps-lint ## known vulnerabilities; fetches the advisory database
	$(TARGET)/tools/bin/cargo-deny --all-features check advisories

deps-lint: $(TARGET)/tools/bin/cargo-machete $(TARGET)/tools/bin/cargo-deny
$(TARGET)/tools/bin/cargo-machete:
	$(CARGO) install $(LOCKED) --root $(TARGET)/tools --quiet cargo-machete@0.9.2
$(TARGET)/tools/bin/cargo-deny:
	$(CARGO) install $(LOCKED) --root $(TARGET)/tools --quiet cargo-deny@0.20.2

bench: ## every measurement, as ratios; FULL=1 adds 100k and 1M reviews
	tests/bench/run

bench-http: ## search and since beside the same server answering fixed bytes
	$(CARGO) run --release $(LOCKED) -p sidecar --example bench_http

DIST_TARGET ?= x86_64-unknown-linux-musl

deps-dist:
	rustup target add $(DIST_TARGET)
	case $(DIST_TARGET) in *-musl) command -v musl-gcc >/dev/null || \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y musl-tools; };; esac

dist: deps-dist ## static programs to hand out, packed, with checksums, in target/dist/
	CARGO="$(CARGO)" deploy/dist $(DIST_TARGET)

clean: ## everything that was built
	$(CARGO) clean
	find public -mindepth 1 ! -name .gitkeep -delete
