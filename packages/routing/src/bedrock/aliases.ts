/** Names of ours as the vendor takes them, and back. */
export interface Aliases {
	toAlias(name: string): string;
	/** Returns the name behind an alias. A text that is no known alias is returned unchanged. */
	toName(alias: string): string;
}

/** Maximum length of the name of a tool or the id of a call, in characters (Converse API reference, `ToolUseBlock`). */
const MAX_ALIAS_CHARACTERS = 64;
const isAllowed = (name: string): boolean => /^[\w-]{1,64}$/.test(name);

/** Allowed names stand as they are; any other is made one, different from all the rest. */
export function createAliases(names: Iterable<string>): Aliases {
	const all = new Set(names);
	const aliases = new Map<string, string>();
	const originals = new Map<string, string>();
	const usedAliases = new Set([...all].filter(isAllowed));
	for (const name of all) {
		if (isAllowed(name)) continue;
		const alias = findUnusedAlias(name, usedAliases);
		usedAliases.add(alias);
		aliases.set(name, alias);
		originals.set(alias, name);
	}
	return {
		toAlias: (name) => aliases.get(name) ?? name,
		toName: (alias) => originals.get(alias) ?? alias,
	};
}

function findUnusedAlias(name: string, usedAliases: ReadonlySet<string>): string {
	const base = name.replace(/[^\w-]+/g, "_") || "_";
	for (let count = 1; ; count++) {
		const suffix = count === 1 ? "" : `_${count}`;
		const alias = base.slice(0, MAX_ALIAS_CHARACTERS - suffix.length) + suffix;
		if (!usedAliases.has(alias)) return alias;
	}
}
