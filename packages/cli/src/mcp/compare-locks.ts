import type { McpLock, McpToolLock } from "@stemma/client/mcp";
import { ConfigurationError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";

/**
 * Compares two locks. Returns a line for each difference; an empty list for the same tools.
 *
 * @throws ConfigurationError for a value that is not a lock.
 */
export function compareLocks(before: McpLock, now: McpLock): readonly string[] {
	if (!isJsonObject(before) || before.lockVersion !== 1 || !isJsonObject(before.tools))
		throw new ConfigurationError("The lock is not one that this version can read.", {
			hint: "Write it again: run the same command without --check.",
		});
	return listChanges(
		new Map(Object.entries(before.tools)),
		new Map(Object.entries(now.tools)),
		(tool, old, current) => [`${tool} has changed: ${compareTools(old, current).join(", ")}`],
	);
}

function listChanges<Value>(
	before: ReadonlyMap<string, Value>,
	now: ReadonlyMap<string, Value>,
	describe: (name: string, before: Value, now: Value) => readonly string[],
): readonly string[] {
	return [...new Set([...before.keys(), ...now.keys()])].flatMap((name) => {
		const [old, current] = [before.get(name), now.get(name)];
		if (old === undefined) return [`${name} is new`];
		if (current === undefined) return [`${name} was removed`];
		return toSorted(old) === toSorted(current) ? [] : describe(name, old, current);
	});
}

const compareTools = (before: McpToolLock, now: McpToolLock): readonly string[] =>
	listChanges(new Map(Object.entries(before)), new Map(Object.entries(now)), (part) => [
		`${part} is different`,
	]);

/** The order of their parts tells nothing. */
const toSorted = (value: unknown): string =>
	JSON.stringify(isJsonObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value);
