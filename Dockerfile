# The attention lab as an image that needs no network when it runs; see docs/deploy.md.
FROM python:3.11-slim

# Without a GPU the smaller build of torch will do. Empty takes the one of the package index.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu

# One thread a translation, because sessions run side by side.
ENV OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1

WORKDIR /app
COPY requirements.txt ./
# The version is the one that requirements.txt pins.
# hadolint ignore=DL3013
RUN pip install --no-cache-dir ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} \
        "$(grep '^torch==' requirements.txt)" \
    && pip install --no-cache-dir -r requirements.txt

COPY .streamlit ./.streamlit
COPY core ./core
COPY checkpoints ./checkpoints
COPY docs/captions.md docs/documents.md docs/lineage.md docs/masked.md ./docs/
COPY model ./model
COPY static ./static
COPY ui ./ui
COPY viz ./viz
COPY words ./words
COPY app.py LICENSE ./
RUN python -m compileall -q . && useradd --create-home --uid 10001 lab
USER 10001

EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "ui.serve", "--server.address", "0.0.0.0", \
     "--server.port", "8501", "--server.headless", "true", "--server.fileWatcherType", "none", \
     "--browser.gatherUsageStats", "false"]
