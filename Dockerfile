# One image with the service, its console and operator commands, the example connector and the demo lender:
#   docker build -t causeway .
# It runs as user 10001 on a read-only root file system. It writes only to /app/data: a SQLite store and generated keys.
FROM node:22-slim AS build
WORKDIR /app
ENV CI=true
COPY package.json ./
RUN npm install --global "$(node -p "require('./package.json').packageManager")"
COPY . .
RUN pnpm install --frozen-lockfile
RUN pnpm build
# Reinstalls only the production dependencies, from the packages that the first install downloaded.
RUN rm -rf node_modules packages/*/node_modules apps/*/node_modules \
  && pnpm install --prod --frozen-lockfile --offline --filter '@causeway/api...' --filter '@causeway/demo...' \
  && find apps/*/dist packages/*/dist -name '*.test.*' -delete

FROM node:22-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
COPY --from=build /app/LICENSE /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages/contract/package.json packages/contract/
COPY --from=build /app/packages/contract/node_modules packages/contract/node_modules
COPY --from=build /app/packages/contract/dist packages/contract/dist
COPY --from=build /app/packages/connector/package.json packages/connector/
COPY --from=build /app/packages/connector/node_modules packages/connector/node_modules
COPY --from=build /app/packages/connector/dist packages/connector/dist
COPY --from=build /app/packages/providers/package.json packages/providers/
COPY --from=build /app/packages/providers/node_modules packages/providers/node_modules
COPY --from=build /app/packages/providers/dist packages/providers/dist
COPY --from=build /app/packages/sdk/package.json packages/sdk/
COPY --from=build /app/packages/sdk/dist packages/sdk/dist
COPY --from=build /app/packages/elements/package.json packages/elements/
COPY --from=build /app/packages/elements/dist packages/elements/dist
COPY --from=build /app/apps/flow/dist apps/flow/dist
COPY --from=build /app/apps/console/dist apps/console/dist
COPY --from=build /app/apps/api/package.json apps/api/
COPY --from=build /app/apps/api/node_modules apps/api/node_modules
COPY --from=build /app/apps/api/dist apps/api/dist
COPY --from=build /app/apps/demo/package.json apps/demo/
COPY --from=build /app/apps/demo/node_modules apps/demo/node_modules
COPY --from=build /app/apps/demo/public apps/demo/public
COPY --from=build /app/apps/demo/dist apps/demo/dist
RUN mkdir data && chown 10001:10001 data
VOLUME /app/data
USER 10001:10001
EXPOSE 4000 4100 4400
# The operations listener is bound to the container's loopback interface, which the health check can also reach.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || 4200}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "apps/api/dist/main/server.js"]
