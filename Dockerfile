# Build with `docker build -t parapet .`; docs/operations.md says how to run it.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY core core
COPY handlers handlers
COPY adapters adapters
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts

# no shell, no package manager; the user is 65532
FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /app
COPY --from=build /app/package.json package.json
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV PORT=3000
ENV PARAPET_LOG=json
# the allocator gives back what a large report was read into; processes of scans have the same by themselves
ENV MALLOC_ARENA_MAX=2
ENV MALLOC_MMAP_THRESHOLD_=131072
ENV MALLOC_TRIM_THRESHOLD_=131072
USER 65532:65532
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/nodejs/bin/node", "dist/adapters/node/health-check.js"]
ENTRYPOINT ["/nodejs/bin/node", "dist/adapters/node/main.js"]
