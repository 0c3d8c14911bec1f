import { readFileSync } from "node:fs";
import { splitWords } from "./split-words.ts";

/** Places that names are read from: declarations, files and folders, code in documents, strings of one word. */
export type NameKind = "identifier" | "file" | "document" | "string";

/** Name of a private dialect, and what stands in its place; or a name that only sounds so, and why it stays. */
export interface CoinedName {
	readonly old: string;
	readonly new?: string;
	readonly stays?: string;
	/** `name` means a whole name; `words` means these words in a row within any name. Default: `name`. */
	readonly match?: "name" | "words";
	/** Default: all kinds. */
	readonly kinds?: readonly NameKind[];
	/** Prefixes of the paths where the old name is refused. Default: everywhere. */
	readonly where?: readonly string[];
	/** Prefixes of paths where the old name must stand; `because` says why. */
	readonly except?: readonly string[];
	/** Reason for `except`, such as data that was stored under the old name. */
	readonly because?: string;
}

/** Name as it was found. */
export interface FoundName {
	readonly name: string;
	readonly kind: NameKind;
	readonly path: string;
	readonly line: number;
}

/** Coined name that is still in use, and where. */
export interface CoinedUse {
	readonly entry: CoinedName;
	readonly found: FoundName;
}

/** List of coined names in the repository, `coined-names.json`. */
export const readCoinedNames = (): CoinedName[] =>
	JSON.parse(readFileSync(new URL("../guards/coined-names.json", import.meta.url), "utf8"));

/** Returns a function that finds the uses of coined names among names. */
export function createCoinedNameFinder(entries: readonly CoinedName[]): (names: FoundName[]) => CoinedUse[] {
	const refused = entries.filter((entry) => entry.new !== undefined);
	const byName = groupBy(refused.filter(isWholeName), ({ old }) => old);
	const byKebab = groupBy(refused.filter(isWholeName), ({ old }) => toKebab(old));
	const byWord = groupBy(
		refused.filter((entry) => !isWholeName(entry)),
		({ old }) => splitWords(old)[0] ?? "",
	);

	const findEntries = ({ name, kind }: FoundName): CoinedName[] => {
		const isKebab = kind === "file" || name.includes("-");
		const whole = (isKebab ? byKebab.get(toKebab(name)) : byName.get(name)) ?? [];
		const words = splitWords(name);
		const within = words.flatMap((word, at) =>
			(byWord.get(word) ?? []).filter(({ old }) =>
				splitWords(old).every((part, index) => words[at + index] === part),
			),
		);
		return [...new Set([...whole, ...within])];
	};

	return (names) =>
		names.flatMap((found) =>
			findEntries(found)
				.filter((entry) => holdsFor(entry, found))
				.map((entry) => ({ entry, found })),
		);
}

const isWholeName = ({ match = "name" }: CoinedName): boolean => match === "name";

const toKebab = (name: string): string => splitWords(name).join("-");

const holdsFor = ({ kinds, where, except }: CoinedName, { kind, path }: FoundName): boolean =>
	(kinds?.includes(kind) ?? true) &&
	(where?.some((prefix) => path.startsWith(prefix)) ?? true) &&
	!(except?.some((prefix) => path.startsWith(prefix)) ?? false);

function groupBy<T>(items: readonly T[], toKey: (item: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const item of items) groups.set(toKey(item), [...(groups.get(toKey(item)) ?? []), item]);
	return groups;
}
