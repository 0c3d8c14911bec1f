import type { Scope } from "@stemma/client";

/** All that a client may be given, in the order in which they are listed. */
export const SCOPES = [
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

/** All that a client key may be given. */
export const CLIENT_KEY_SCOPES = ["ask", "agents:run"] as const satisfies readonly Scope[];

export const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);
