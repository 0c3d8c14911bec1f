import { createBlockBuilder } from "./block-builder";
import type { TextBlock } from "./document-part";

/** A line of the source without its end. */
export interface Line {
	readonly text: string;
	readonly start: number;
}

/**
 * Minimum length of a line that counts as wrapped, and the share of such lines from which a text counts as wrapped
 * running text.
 */
const MIN_WRAPPED_LINE_CHARACTERS = 40;
const WRAPPED_LINE_SHARE = 0.75;
const LIST_MARKER = /^\s*(?:[-*+•·–]|\(?\d{1,3}[.)])\s/u;

/** Groups of lines with an empty line, or a form feed, between them. */
export function toParagraphs(source: string): Line[][] {
	const paragraphs: Line[][] = [[]];
	for (const { 1: text = "", 2: ending, index } of source.matchAll(/([^\r\n\f]*)(\r\n|[\r\n\f]|$)/g)) {
		if (text.trim() !== "") paragraphs.at(-1)?.push({ text: text.trimEnd(), start: index });
		if (text.trim() === "" || ending === "\f") paragraphs.push([]);
	}
	return paragraphs.filter(({ length }) => length > 0);
}

/** The lines as one block. Wrapped text becomes running text; lists, verse and figures keep their line ends. */
export function toBlock(source: string, lines: readonly Line[]): TextBlock[] {
	const builder = createBlockBuilder(source);
	const isWrapped = isRunningText(lines.slice(0, -1));
	for (const [index, { text, start }] of lines.entries()) {
		if (index > 0 && isWrapped && !LIST_MARKER.test(text)) builder.addBlank();
		else if (index > 0) builder.breakLine();
		builder.add(text, { start, end: start + text.length });
	}
	const block = builder.finish();
	return block === undefined ? [] : [block];
}

function isRunningText(lines: readonly Line[]): boolean {
	const long = lines.filter(({ text }) => text.length >= MIN_WRAPPED_LINE_CHARACTERS);
	return long.length >= lines.length * WRAPPED_LINE_SHARE;
}
