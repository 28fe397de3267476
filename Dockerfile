# Images that contain one program each: no shell, no libraries, no root. candor-mcp is an MCP server over standard input.
#
#     docker build --target candor --tag candor .
#     docker run --rm --read-only --user "$(id -u):$(id -g)" -v "$PWD:/site" candor build
#
#     docker build --tag candor-sidecar .
#     docker run --read-only -v ./public:/public:ro -v candor-state:/state -p 8081:8081 candor-sidecar --serve-public
#
#     docker build --target candor-mcp --tag candor-mcp .
#     docker run --rm -i candor-mcp https://reviews.example.com
#
# The sidecar's metrics and /readyz are reachable from outside with `-e CANDOR_ADMIN=0.0.0.0:9090 -p 9090:9090`.
# The programs contain the certificates of the public authorities and the time zones.

FROM rust:1.95-alpine3.22 AS source
# hadolint ignore=DL3018
RUN apk add --no-cache build-base
WORKDIR /src
COPY . .
RUN mkdir -p /image && cp LICENSE-APACHE LICENSE-MIT /image/

FROM source AS build-candor
RUN cargo build --locked --profile dist -p candor --bin candor && cp target/dist/candor /image/

FROM scratch AS candor
COPY --from=build-candor /image/ /
USER 65532:65532
WORKDIR /site
ENTRYPOINT ["/candor"]

FROM source AS build-sidecar
RUN cargo build --locked --profile dist -p candor-sidecar --bin candor-sidecar \
    && mkdir -p /image/state /image/public \
    && cp target/dist/candor-sidecar /image/

FROM scratch AS candor-mcp
COPY --from=build-sidecar --chown=65532:65532 /image/ /
USER 65532:65532
WORKDIR /state
ENV TMPDIR=/state
ENTRYPOINT ["/candor-sidecar", "mcp"]

FROM scratch AS candor-sidecar
COPY --from=build-sidecar --chown=65532:65532 /image/ /
USER 65532:65532
WORKDIR /state
ENV CANDOR_PUBLIC=/public \
    CANDOR_STATE=/state \
    CANDOR_LISTEN=0.0.0.0:8081 \
    CANDOR_ADMIN=127.0.0.1:9090 \
    CANDOR_LOG_FORMAT=json
VOLUME ["/state"]
EXPOSE 8081
STOPSIGNAL SIGTERM
# The first start reads the whole publication before it responds.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["/candor-sidecar", "healthcheck"]
ENTRYPOINT ["/candor-sidecar"]
