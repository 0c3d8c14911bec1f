/** Parts of service and runtime that the documents are made of; no package exports them. */

// biome-ignore lint/style/noRestrictedImports: what routes say of themselves, which no package exports
export { ALLOWED_METHODS, type RouteName } from "../../packages/runtime/src/http/routes/match-route";
// biome-ignore lint/style/noRestrictedImports: what routes say of themselves, which no package exports
export type { CallerRequirements } from "../../packages/service/src/http/auth/authenticate";
// biome-ignore lint/style/noRestrictedImports: what routes say of themselves, which no package exports
export type { RouteDescription } from "../../packages/service/src/http/describe-route";
// biome-ignore lint/style/noRestrictedImports: what routes say of themselves, which no package exports
export { findStatusOfCode, UPSTREAM_STATUSES } from "../../packages/service/src/http/statuses";
// biome-ignore lint/style/noRestrictedImports: what routes say of themselves, which no package exports
export type { ResponseTypes, RunEventPage } from "../../packages/service/src/openapi/response-types";
export {
	createRouteApp,
	listServedRoutes,
	type ServedRoute,
	// biome-ignore lint/style/noRestrictedImports: what routes say of themselves, which no package exports
} from "../../packages/service/src/routes/served-routes";
