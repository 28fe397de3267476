# An image that contains the sidecar only: no shell, no libraries, no root.
#
#     docker build -t candor-sidecar .
#     docker run -v ./public:/public:ro -v candor-state:/state -p 8081:8081 candor-sidecar --serve-public
#
# The program contains the certificates of the public authorities and the time zones.

FROM rust:1.95-alpine3.22 AS build
# hadolint ignore=DL3018
RUN apk add --no-cache build-base
WORKDIR /src
COPY . .
RUN cargo build --locked --profile dist -p sidecar --bin candor-sidecar --features postgres \
    && mkdir -p /image/state /image/public \
    && cp target/dist/candor-sidecar LICENSE-APACHE LICENSE-MIT /image/

FROM scratch
COPY --from=build --chown=65532:65532 /image/ /
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
