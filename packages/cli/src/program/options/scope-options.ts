import type { Scope } from "@stemma/client";
import { InvalidArgumentError } from "commander";

const SCOPES: readonly Scope[] = [
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
	"deployment:write",
];

/** Adds the scopes of an option, one or several with commas between, or `all`, to those of the options before it. */
export const collectScopes = (text: string, all: readonly Scope[]): Scope[] => [
	...new Set([...all, ...text.split(",").flatMap((name) => parseScopes(name.trim()))]),
];

function parseScopes(name: string): readonly Scope[] {
	if (name === "all") return SCOPES;
	const scope = SCOPES.find((known) => known === name);
	if (scope === undefined) throw new InvalidArgumentError(`Scopes are ${SCOPES.join(", ")}; or all.`);
	return [scope];
}
