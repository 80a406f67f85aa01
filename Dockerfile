# Fivedice in a container. Build: docker build -t fivedice .
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml requirements-server.lock hatch_build.py README.md LICENSE ./
COPY src ./src
# Every package by its hash; then the project itself, which has none, built by what the lock file installed.
RUN python -m venv /opt/fivedice \
 && /opt/fivedice/bin/pip install --no-cache-dir --require-hashes --requirement requirements-server.lock \
 && /opt/fivedice/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 dice && mkdir -p /data /cache && chown dice:dice /data /cache
COPY --from=build /opt/fivedice /opt/fivedice
# Tables in /data where no other database is named, solved books in /cache: give both a volume.
ENV PATH=/opt/fivedice/bin:$PATH \
    FIVEDICE_HOST=0.0.0.0 \
    FIVEDICE_DATA=/data \
    FIVEDICE_CACHE=/cache \
    NUMBA_CACHE_DIR=/cache/numba
USER dice
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["python", "-c", "import urllib.request as web; web.urlopen('http://127.0.0.1:8765/health', timeout=2)"]
CMD ["fivedice", "serve"]
