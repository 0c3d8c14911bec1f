import type { Scope } from "@stemma/client";

/** What a client may do within its workspace. */
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

/** All that a client may be given, in the order in which they are listed. */
export const SCOPES = [...WORKSPACE_SCOPES, "deployment:write"] as const satisfies readonly Scope[];

/** All that a client key may be given. */
export const CLIENT_KEY_SCOPES = ["ask", "agents:run"] as const satisfies readonly Scope[];

export const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

/** Whether a scope is about one workspace. Others are given by name alone. */
export const isWorkspaceScope = (scope: Scope): boolean => WORKSPACE_SCOPES.some((known) => known === scope);
