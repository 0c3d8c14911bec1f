import { visibleText } from "@stemma/core/internal";

const MAX_COMMENT_CHARACTERS = 2000;

/** A text of a server as a comment that it cannot end; nothing for no text. */
export function toDocComment(text: unknown, indent: string): string {
	if (typeof text !== "string" || text.trim() === "") return "";
	// What is read must be what is there. Before the end of a comment is looked for: what is taken out may stand within it.
	const lines = visibleText(text.slice(0, MAX_COMMENT_CHARACTERS))
		.replaceAll("*/", "*\\/")
		.split(/[\n\u2028\u2029]/)
		.map((line) => line.trimEnd());
	const [only = "", ...more] = trimEnds(lines);
	if (more.length === 0) return `${indent}/** ${only} */\n`;
	return `${indent}/**\n${[only, ...more].map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function trimEnds(lines: readonly string[]): readonly string[] {
	const first = lines.findIndex((line) => line !== "");
	const last = lines.findLastIndex((line) => line !== "");
	return lines.slice(first, last + 1);
}
