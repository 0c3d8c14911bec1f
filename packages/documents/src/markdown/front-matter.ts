/** The `title` of YAML or TOML front matter, where it is written on one line. */
export function readFrontMatterTitle(matter: string): string | undefined {
	const written = /^title\s*[:=]\s*(.+)$/im.exec(matter)?.[1]?.trim() ?? "";
	const [, , quoted] = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(written) ?? [];
	const title = (quoted ?? written.replace(/\s+#.*$/, "")).trim();
	return title === "" || /^[|>][+-]?$/.test(title) ? undefined : title;
}
