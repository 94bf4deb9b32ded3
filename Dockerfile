FROM swift:6.3-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        pkg-config libcurl4-openssl-dev libpq-dev libssl-dev libargon2-dev zlib1g-dev libseccomp-dev \
        libtesseract-dev libleptonica-dev libturbojpeg0-dev libjpeg-dev libpng-dev libwebp-dev libheif-dev libzxing-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
# The standard library is linked statically, so the second stage needs no Swift.
RUN swift build -c release --static-swift-stdlib \
    && mkdir -p /out \
    && bin="$(swift build -c release --static-swift-stdlib --show-bin-path)" \
    && cp "$bin/allesteurer" "$bin/allesteurer-reader" /out/ \
    && strip /out/allesteurer /out/allesteurer-reader
COPY Migrations /out/Migrations
COPY Views /out/Views
COPY Public /out/Public
COPY bin/parts/healthy.sh /out/healthy
# In a clone that was made with a strict umask, only the owner may read the files.
RUN chmod -R a+rX /out

# Downloads the files of the second OCR engine, checks them against the hashes in second-engine/, and trims the model.
FROM debian:bookworm-slim AS second-engine
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3-pip \
    && rm -rf /var/lib/apt/lists/*
COPY bin/parts/second-engine.sh ./
COPY bin/parts/second-engine second-engine
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
RUN source ./second-engine.sh && fetch_second_engine /out python3

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libpq5 libssl3 libargon2-1 zlib1g libseccomp2 libstdc++6 \
        libtesseract5 liblept5 libturbojpeg0 libjpeg62-turbo libpng16-16 libwebp7 libheif1 libzxing2 \
        tesseract-ocr-deu tesseract-ocr-osd poppler-utils tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 allesteurer \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin allesteurer
WORKDIR /app
COPY --from=build /out/ ./
COPY --from=second-engine /out/ second-engine/
# Without MALLOC_MMAP_THRESHOLD_, glibc does not return the memory of password hashes to the system. Without
# OMP_THREAD_LIMIT, Tesseract starts threads that use the CPU while they wait. SWIFT_BACKTRACE disables Swift's crash reporter,
# which can hang.
ENV OMP_THREAD_LIMIT=1 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    SWIFT_BACKTRACE=enable=no \
    LC_ALL=C.UTF-8 \
    ALLESTEURER_LISTEN=0.0.0.0:8080 \
    ALLESTEURER_VIEWS=/app/Views \
    ALLESTEURER_PUBLIC=/app/Public \
    ALLESTEURER_MIGRATIONS=/app/Migrations \
    ALLESTEURER_READER=/app/allesteurer-reader \
    ALLESTEURER_SECOND_ENGINE=/app/second-engine
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["/app/healthy"]
ENTRYPOINT ["/app/allesteurer"]
CMD ["serve"]
