/** YAML or TOML before the text of a Markdown file. */
export interface FrontMatter {
	/** Title of the document, where it is written on one line. */
	readonly title: string | undefined;
	/** Offset in the source at which the text begins. */
	readonly end: number;
}

/** Reads the front matter of a file: lines between two lines of `---` or `+++`, the first of which begins the file. */
export function readFrontMatter(source: string): FrontMatter | undefined {
	const [written = "", , matter = ""] =
		/^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)(?<=\n)\1[ \t]*(?:\r?\n|$)/.exec(source) ?? [];
	return written === "" ? undefined : { title: readTitle(matter), end: written.length };
}

function readTitle(matter: string): string | undefined {
	const written = /^title\s*[:=]\s*(.+)$/im.exec(matter)?.[1]?.trim() ?? "";
	const [, , quoted] = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(written) ?? [];
	const title = (quoted ?? written.replace(/\s+#.*$/, "")).trim();
	return title === "" || /^[|>][+-]?$/.test(title) ? undefined : title;
}
