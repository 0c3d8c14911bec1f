import type { Scope } from "@stemma/client";
import { SCOPES } from "@stemma/core/internal";

/** Scopes of a client within its workspace. */
export const WORKSPACE_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== "deployment:write");

export { SCOPES };

/** Scopes that a client key can have. */
export const CLIENT_KEY_SCOPES = ["ask", "agents:run"] as const satisfies readonly Scope[];

export const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

/** True for a scope that is about one workspace. Others are granted by name alone. */
export const isWorkspaceScope = (scope: Scope): boolean => WORKSPACE_SCOPES.some((known) => known === scope);
