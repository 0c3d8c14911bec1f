/** Part of a line of Markdown. */
export type MarkdownInline =
	| string
	| { readonly type: "strong" | "emphasis"; readonly text: string }
	| { readonly type: "code"; readonly text: string }
	| { readonly type: "link"; readonly text: string; readonly url: string }
	/** Number of a source: `[1]`. */
	| { readonly type: "reference"; readonly n: number };

/** Each stops at the next character of its kind, so that parsing takes time linear in the text. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
	"\\": [[/\\([!-/:-@[-`{-~])/y, ([, character = ""]) => character]],
	"`": [[/`([^`\n]{1,2000})`/y, ([, text = ""]) => ({ type: "code", text })]],
	"*": [
		[/\*\*(?=\S)((?:[^*\n]|\*(?!\*)){1,2000})\*\*/y, ([, text = ""]) => ({ type: "strong", text })],
		[/\*(?=[^\s*])([^*\n]{1,2000})\*/y, ([, text = ""]) => ({ type: "emphasis", text })],
	],
	_: [
		[/__(?=[^\s_])([^_\n]{1,2000})__(?!\w)/y, ([, text = ""]) => ({ type: "strong", text })],
		[/_(?=[^\s_])([^_\n]{1,2000})_(?!\w)/y, ([, text = ""]) => ({ type: "emphasis", text })],
	],
	"!": [[/!\[([^[\]\n]{0,500})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}\)/y, ([, text = ""]) => text]],
	"[": [
		[/\[(\d{1,3})\](?!\()/y, ([, n]) => ({ type: "reference", n: Number(n) })],
		[
			/\[([^[\]\n]{1,500})\]\(((?:[^()\s]|\([^()\s]{0,200}\)){1,2000})\)/y,
			([, text = "", url = ""]) => ({ type: "link", text, url }),
		],
	],
};

type Rule = readonly [pattern: RegExp, toPart: (match: RegExpExecArray) => MarkdownInline];

/** Parses what is marked in a paragraph; the text inside of emphasis and links is not parsed yet. */
export function parseInline(text: string): MarkdownInline[] {
	const parts: MarkdownInline[] = [];
	const special = /[\\`*_![]/g;
	let end = 0;
	for (let found = special.exec(text); found !== null; found = special.exec(text)) {
		const matched = matchRule(text, found.index);
		if (matched === undefined) continue;
		if (found.index > end) parts.push(text.slice(end, found.index));
		parts.push(matched.part);
		end = matched.end;
		special.lastIndex = end;
	}
	if (end < text.length) parts.push(text.slice(end));
	return parts;
}

function matchRule(
	text: string,
	at: number,
): { readonly part: MarkdownInline; readonly end: number } | undefined {
	// Names such as `file_name_1` are not emphasised.
	if (text[at] === "_" && /\w/.test(text[at - 1] ?? "")) return undefined;
	for (const [pattern, toPart] of RULES[text[at] ?? ""] ?? []) {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		if (match !== null) return { part: toPart(match), end: pattern.lastIndex };
	}
	return undefined;
}
