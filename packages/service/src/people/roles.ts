import type { Role, Scope } from "@stemma/client";

const VIEWER_SCOPES: readonly Scope[] = ["ask", "agents:run", "knowledge:read"];
const EDITOR_SCOPES: readonly Scope[] = [
	...VIEWER_SCOPES,
	"agents:write",
	"agents:trace",
	"runs:approve",
	"knowledge:write",
];
const ADMIN_SCOPES: readonly Scope[] = [...EDITOR_SCOPES, "settings:read", "settings:write", "keys:write"];

/** Scopes of each role: what a member may do is what routes require of these. */
export const ROLE_SCOPES: { readonly [Name in Role]: readonly Scope[] } = {
	viewer: VIEWER_SCOPES,
	editor: EDITOR_SCOPES,
	admin: ADMIN_SCOPES,
};

/** Roles, each with all scopes of the one before. */
export const ROLES = ["viewer", "editor", "admin"] as const satisfies readonly Role[];

/** Returns the role with more scopes. */
export const higherRole = (a: Role, b: Role): Role => (ROLES.indexOf(a) > ROLES.indexOf(b) ? a : b);

/** Checks whether a role has all scopes of another one. */
export const includesRole = (role: Role, other: Role): boolean => higherRole(role, other) === role;
