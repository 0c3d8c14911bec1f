/** Migrations of the service, whose numbers the names of recordings are; no package exports them. */

// biome-ignore lint/style/noRestrictedImports: what a test compares with, which no package exports
export { deploymentMigrations } from "../../packages/service/src/store/deployment-tables";
// biome-ignore lint/style/noRestrictedImports: what a test compares with, which no package exports
export { workspaceMigrations } from "../../packages/service/src/store/workspace-tables";
