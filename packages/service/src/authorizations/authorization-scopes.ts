import type { Scope } from "@stemma/client";
import { AuthorizationError } from "./authorization-error";

/** Scopes that an app can be given: what MCP and A2A use. */
export const APP_SCOPES = [
	"ask",
	"knowledge:read",
	"agents:run",
	"agents:trace",
	"runs:approve",
] as const satisfies readonly Scope[];

/** Scopes of an app that asks for none. */
const DEFAULT_SCOPES = { mcp: ["ask", "knowledge:read"], a2a: ["agents:run"] } as const satisfies Readonly<
	Record<string, readonly Scope[]>
>;

/** Asks for a refresh token in OpenID Connect; every app gets one. */
const OFFLINE_ACCESS = "offline_access";

const isAppScope = (name: string): name is (typeof APP_SCOPES)[number] =>
	APP_SCOPES.some((scope) => scope === name);

/**
 * Resolves the scopes that an app asks for to those that the person has.
 *
 * @param resource - path that the access is for.
 * @throws AuthorizationError `invalid_scope` for one that no app is given, and where the person has none of them.
 */
export function resolveScopes(
	text: string | undefined,
	resource: string,
	owned: readonly Scope[],
): readonly Scope[] {
	const names = (text ?? "").split(" ").filter((name) => name !== "" && name !== OFFLINE_ACCESS);
	const requested = names.length > 0 ? names : DEFAULT_SCOPES[resource === "/mcp" ? "mcp" : "a2a"];
	const known = requested.filter(isAppScope);
	if (known.length < requested.length)
		throw new AuthorizationError("invalid_scope", `The scopes of apps are ${APP_SCOPES.join(", ")}.`);
	const granted = [...new Set(known)].filter((scope) => owned.includes(scope));
	if (granted.length === 0)
		throw new AuthorizationError("invalid_scope", "The person has none of the scopes that the app asks for.");
	return granted;
}
