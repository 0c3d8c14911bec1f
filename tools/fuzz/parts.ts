/** Parts of the service that the fuzzer starts its servers with; no package exports them. */

// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
export { openPostgresSession } from "../../packages/service/src/store/postgres/connection/postgres-pool";
