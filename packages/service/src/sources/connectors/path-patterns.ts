/** Include and exclude patterns of a source. */
export interface PathPatterns {
	/** Paths that are read. Default: all. */
	readonly include?: readonly string[] | undefined;
	/** Paths that are left out, also of those that are included. */
	readonly exclude?: readonly string[] | undefined;
}

export type PathFilter = (path: string) => boolean;

/** Maximum number of include patterns, and of exclude patterns. */
export const MAX_PATH_PATTERNS = 50;
export const MAX_PATH_PATTERN_CHARACTERS = 200;

/**
 * Filter of paths. `*` stands for any characters but `/`, `?` for one of them, `**` for any characters at all. A pattern
 * without `/` holds for a name in any folder, else for the path from its start. What matches a folder holds for all below
 * it. Each path takes time in proportion to its length: patterns are not regular expressions.
 */
export function createPathFilter({ include = [], exclude = [] }: PathPatterns): PathFilter {
	const included = include.map(parsePattern);
	const excluded = exclude.map(parsePattern);
	return (text) => {
		const path = text.replace(/^\/+/u, "");
		const isMatch = (pattern: Pattern): boolean => matches(pattern, path);
		return (included.length === 0 || included.some(isMatch)) && !excluded.some(isMatch);
	};
}

/** Code points, and wildcards below zero. */
type Pattern = Int32Array;

/** One character but `/`. */
const ANY = -1;
/** Many characters but `/`. */
const IN_FOLDER = -2;
/** Many characters. */
const ALL = -3;
/** Many characters up to a `/`, or none. */
const FOLDERS = -4;
const SLASH = 0x2f;

function parsePattern(text: string): Pattern {
	const trimmed = text.replace(/\/+$/u, "");
	const isAnchored = trimmed.includes("/");
	const tokens = trimmed.replace(/^\/+/u, "").match(/(?<![^/])\*\*+\/|\*\*+|[\s\S]/gu) ?? [];
	return Int32Array.from([...(isAnchored ? [] : [FOLDERS]), ...tokens.map(toPart)]);
}

function toPart(token: string): number {
	if (token.length > 1 && token.startsWith("**")) return token.endsWith("/") ? FOLDERS : ALL;
	if (token === "*") return IN_FOLDER;
	return token === "?" ? ANY : (token.codePointAt(0) ?? 0);
}

/** Runs all ways through the pattern beside each other, so that no pattern takes long. */
function matches(pattern: Pattern, path: string): boolean {
	const end = pattern.length;
	// 1 for each place in the pattern that can be reached by the path so far.
	let reached = new Uint8Array(end + 1);
	let next = new Uint8Array(end + 1);
	reached[0] = 1;
	addSkips(pattern, reached, true);
	for (const character of path) {
		const code = character.codePointAt(0) ?? 0;
		if (code === SLASH && reached[end] === 1) return true;
		next.fill(0);
		let isAlive = false;
		for (let index = 0; index < end; index += 1) {
			const part = pattern[index] ?? 0;
			if (reached[index] === 0 || !takes(part, code)) continue;
			next[part < ANY ? index : index + 1] = 1;
			isAlive = true;
		}
		if (!isAlive) return false;
		[reached, next] = [next, reached];
		addSkips(pattern, reached, code === SLASH);
	}
	return reached[end] === 1;
}

function takes(part: number, code: number): boolean {
	if (part >= 0) return part === code;
	return part <= ALL || code !== SLASH;
}

/** Adds what is reached where a wildcard stands for nothing more. */
function addSkips(pattern: Pattern, reached: Uint8Array, isFolderStart: boolean): void {
	for (let index = 0; index < pattern.length; index += 1) {
		const part = pattern[index];
		const mayEnd = part === IN_FOLDER || part === ALL || (part === FOLDERS && isFolderStart);
		if (mayEnd && reached[index] === 1) reached[index + 1] = 1;
	}
}
