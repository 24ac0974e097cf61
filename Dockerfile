# An image with ps-run and ps-opt, on Debian 12: docker build -t ps-mlir .
FROM debian:12 AS build
COPY scripts/install-deps.sh /ps-mlir/scripts/
RUN /ps-mlir/scripts/install-deps.sh && apt-get install -y dpkg-dev file
COPY . /ps-mlir
WORKDIR /ps-mlir
RUN cmake --preset release && cmake --build --preset release \
    --target ps-opt ps-run ps-reduce ps-lsp-server manual \
  && cd build/release && cpack -G DEB

FROM debian:12-slim
COPY --from=build /ps-mlir/build/release/*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/*.deb \
  && rm -rf /tmp/*.deb /var/lib/apt/lists/*
ENTRYPOINT ["ps-run"]
