import type { Scope } from "@stemma/client";
import { SCOPES } from "@stemma/core/internal";
import { InvalidArgumentError } from "commander";

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
