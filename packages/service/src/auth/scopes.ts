import type { Scope } from "@stemma/client";

/** Scopes of a client within its workspace. */
export const WORKSPACE_SCOPES = [
	"ask",
	"agents:run",
	"agents:write",
	"agents:trace",
	"runs:approve",
	"knowledge:read",
	"knowledge:write",
	"settings:read",
	"settings:write",
	"keys:write",
] as const satisfies readonly Scope[];

/** Scopes that a client can have, in the order in which they are listed. */
export const SCOPES = [...WORKSPACE_SCOPES, "deployment:write"] as const satisfies readonly Scope[];

/** Scopes that a client key can have. */
export const CLIENT_KEY_SCOPES = ["ask", "agents:run"] as const satisfies readonly Scope[];

export const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

/** True for a scope that is about one workspace. Others are granted by name alone. */
export const isWorkspaceScope = (scope: Scope): boolean => WORKSPACE_SCOPES.some((known) => known === scope);
