# Shoal in a container: docker build -t shoal . && docker run -p 9000:9000 -v shoal:/data shoal
#
# The image builds on Debian 12 with Swift; another one can be given: --build-arg SWIFT_IMAGE=...
ARG SWIFT_IMAGE=swift:6.3-bookworm

FROM ${SWIFT_IMAGE} AS build
RUN apt-get -q update && apt-get -q -y install --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY packaging packaging
COPY Makefile ./
RUN make deps-build
COPY Package.swift ./
COPY docs/openapi.json docs/
COPY Sources Sources
COPY Tests Tests
RUN make release && install -s -m 755 -D "$(swift build -c release --show-bin-path)/shoal" /image/shoal

FROM debian:bookworm-slim
COPY packaging /usr/share/shoal/packaging
RUN /usr/share/shoal/packaging/install runtime && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 900 --home-dir /data shoal \
    && install -d -o shoal -g shoal /data
COPY --from=build /image/shoal /usr/local/bin/shoal
USER shoal
VOLUME /data
EXPOSE 9000

# S3 is for everybody who reaches the container; the admin API, which needs a token anywhere but on loopback, stays
# inside: `docker exec CONTAINER shoal fault ls`. To open it: -e SHOAL_ADMIN_LISTEN=0.0.0.0:9001 -e SHOAL_ADMIN_TOKEN=...
ENV SHOAL_ADMIN_LISTEN=127.0.0.1:9001 \
    SHOAL_ADMIN_ENDPOINT=http://127.0.0.1:9001
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["shoal", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["shoal"]
CMD ["serve", "--listen", "0.0.0.0:9000", "--data", "/data"]
