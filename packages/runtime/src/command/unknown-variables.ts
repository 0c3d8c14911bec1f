import { closestName } from "@stemma/core/internal";
import { OPTIONS, toVariable } from "./options";

const PREFIX = "STEMMA_RUNTIME_";

/** Options that have no variable: they end the command. */
const WITHOUT_VARIABLE = new Set(["print-config", "version", "help"]);

const KNOWN = new Set([
	"STEMMA_RUNTIME_TOKEN",
	"STEMMA_RUNTIME_AGENTS",
	...Object.keys(OPTIONS)
		.filter((name) => !WITHOUT_VARIABLE.has(name))
		.map(toVariable),
]);

/** Kubernetes tells every container of a service called `stemma-runtime` by these. */
const KUBERNETES_VARIABLE = /^STEMMA_RUNTIME_(SERVICE_(HOST|PORT(_.+)?)|PORT_\d+_.+)$/;

/** A note for each variable that looks like an option and is none; never its value. */
export function describeUnknownVariables(
	env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
	return Object.keys(env)
		.filter((name) => name.startsWith(PREFIX) && !KNOWN.has(name) && !KUBERNETES_VARIABLE.test(name))
		.map((name) => `note: ${name} is not an option${suggest(name)}`);
}

/** Suggests a known name by its part after the prefix, which all names share. */
function suggest(name: string): string {
	const known = [...KNOWN]
		.filter((option) => option.startsWith(PREFIX))
		.map((option) => option.slice(PREFIX.length));
	const closest = closestName(name.slice(PREFIX.length), known);
	return closest === undefined ? "." : `; did you mean ${PREFIX}${closest}?`;
}
