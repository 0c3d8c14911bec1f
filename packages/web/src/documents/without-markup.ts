/** Characters by their names in HTML; rarer ones stay as they are written. */
const ENTITIES: Readonly<Record<string, string>> = {
	...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", hellip: "…", ndash: "–", mdash: "—" },
	...{
		lsquo: "‘",
		rsquo: "’",
		ldquo: "“",
		rdquo: "”",
		auml: "ä",
		ouml: "ö",
		uuml: "ü",
		szlig: "ß",
		eacute: "é",
	},
};

/** Beginnings and ends of what a browser shows nothing of. */
const INVISIBLE = [
	["<!--", "-->"],
	["<script", "</script>"],
	["<style", "</style>"],
	["<head>", "</head>"],
	["<template", "</template>"],
] as const;
const BLOCK_END =
	/<br\s*\/?>|<\/(?:p|div|h[1-6]|li|tr|table|ul|ol|section|article|header|footer|blockquote|pre|title)\s*>/gi;
const TAG = /<\/?[a-z!][^<>]*>/gi;

/** Text of a part of an HTML file, with a line for each block. It is shown as text: nothing of it runs. */
export function fromHtml(html: string): string {
	const shown = INVISIBLE.reduce((text, [start, end]) => removeBetween(text, start, end), html);
	const text = shown.replace(BLOCK_END, "\n").replace(TAG, "");
	return text.replace(/&(#x?)?(\w+);/gi, toCharacter).replace(/[ \t]*\n\s*\n\s*/g, "\n\n");
}

/** Takes out all that is between a beginning and the next end, both included, in time linear in the text. */
function removeBetween(text: string, start: string, end: string): string {
	const lower = text.toLowerCase();
	// Some letters have another length in lower case.
	if (lower.length !== text.length) return text;
	const kept: string[] = [];
	let from = 0;
	for (let found = lower.indexOf(start); found >= 0; found = lower.indexOf(start, from)) {
		const until = lower.indexOf(end, found);
		if (until < 0) break;
		kept.push(text.slice(from, found));
		from = until + end.length;
	}
	return kept.join("") + text.slice(from);
}

function toCharacter(written: string, numeric: string | undefined, name: string): string {
	if (numeric === undefined) return ENTITIES[name] ?? written;
	const code = Number.parseInt(name, numeric === "#" ? 10 : 16);
	return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : written;
}

/** Text of a part of a Markdown file without what marks its form: targets of links, list and heading marks, emphasis. */
export const fromMarkdown = (markdown: string): string =>
	fromHtml(markdown)
		.replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"\n]*")?\)|\]\[[^[\]\n]*\]/g, "]")
		.replace(/^[ \t]*(?:[-+*]|#{1,6}|>)[ \t]+/gm, "")
		.replace(/^[ \t]*\|?[ \t:|-]+\|[ \t:|-]*$/gm, "")
		.replace(/[*_~`[\]|\\]|!(?=\[)/g, "");
