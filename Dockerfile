# Codestead runs on its sources, so the image is Node, git and this folder.
FROM node:24-bookworm-slim

RUN apt-get update \
  && apt-get install --yes --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app

# Packages first: they change less often than the sources, and this layer is then kept. The optional ones only
# bring a Node, which is here already.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

COPY LICENSE README.md ./
COPY scripts ./scripts
COPY src ./src

# The sources belong to root: the server can change nothing but its data.
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production \
  CODESTEAD_DATA=/data \
  CODESTEAD_SERVER_HOST=0.0.0.0
VOLUME /data
EXPOSE 3000

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.CODESTEAD_SERVER_PORT || 3000}/api/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Without npm in between, so that SIGTERM reaches the server, which then lets requests finish.
STOPSIGNAL SIGTERM
CMD ["node", "--expose-gc", "--min-semi-space-size=4", "--max-semi-space-size=16", "--heap-growing-percent=100", "--import", "./scripts/require-node.mjs", "src/main.ts"]
