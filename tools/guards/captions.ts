/** Top-level statement. Imports and re-exports are blanked before. */
const DECLARATION = /^(?!import\b)[a-z]/i;
const EXPORT = /^export\b/;
const DOCSTRING = /^\/\*\*([\s\S]*?)\*\//;

/**
 * Finds the caption of a source file: its first docstring, which begins before its first export (before its first
 * declaration where it exports nothing).
 *
 * @returns the caption in one line; empty for a file of re-exports, which needs none; `undefined` where it is missing.
 */
export function findCaption(source: string): string | undefined {
	const lines = toTopLevelLines(source);
	const isExport = lines.some(({ text }) => EXPORT.test(text));
	const first = lines.find(({ text }) => (isExport ? EXPORT : DECLARATION).test(text));
	if (first === undefined) return "";
	const start = lines.find(({ text }) => text.startsWith("/**"));
	if (start === undefined || start.offset > first.offset) return undefined;
	const [, content = ""] = DOCSTRING.exec(source.slice(start.offset)) ?? [];
	const caption = content
		.replaceAll(/\n\s*\*/g, " ")
		.replaceAll(/\s+/g, " ")
		.trim();
	return caption === "" ? undefined : caption;
}

interface Line {
	readonly text: string;
	/** Of its first character, in the source. */
	readonly offset: number;
}

/** Lists lines that begin in the first column, outside of imports and re-exports. The formatter indents everything else. */
function toTopLevelLines(source: string): readonly Line[] {
	const code = source.replaceAll(/^(?:import|export)\b[^;]*?from "[^"]*";$/gm, (text) =>
		" ".repeat(text.length),
	);
	return [...code.matchAll(/^\S.*$/gm)].map(({ 0: text, index }) => ({ text, offset: index }));
}

/** Compares the folders that a page names in backticks, with a slash at their end, to those that exist. */
export function listUnnamedFolders(
	page: string,
	folders: readonly string[],
): { readonly missing: readonly string[]; readonly unknown: readonly string[] } {
	const named = new Set([...page.matchAll(/`([\w./-]+\/)`/g)].map(([, folder = ""]) => folder));
	const existing = new Set(folders);
	return {
		missing: [...existing].filter((folder) => !named.has(folder)),
		unknown: [...named].filter((folder) => !existing.has(folder) && !folder.endsWith("test-support/")),
	};
}
