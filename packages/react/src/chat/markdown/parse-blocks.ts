/** Block of Markdown: a small part of CommonMark, without HTML, images and tables. */
export type MarkdownBlock =
	| { readonly type: "paragraph"; readonly text: string }
	| { readonly type: "heading"; readonly level: number; readonly text: string }
	| { readonly type: "code"; readonly text: string }
	| { readonly type: "quote"; readonly blocks: readonly MarkdownBlock[] }
	| {
			readonly type: "list";
			/** Number of the first item; `undefined` for a list without numbers. */
			readonly start: number | undefined;
			readonly items: readonly (readonly MarkdownBlock[])[];
	  }
	| { readonly type: "rule" };

/** Lists and quotes that are nested deeper are shown as text. */
const MAX_NESTING = 6;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const ITEM = /^([ \t]*)(?:[-*+]|(\d{1,9})[.)])[ \t]+(.*)$/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;

/** Lines of a text that are not parsed yet. */
interface Lines {
	readonly lines: readonly string[];
	at: number;
	readonly nesting: number;
}

/** Parses blocks in time linear in the text, also of text that is still being written: an open block ends with the text. */
export function parseBlocks(text: string, nesting = 0): MarkdownBlock[] {
	const input: Lines = { lines: text.split("\n"), at: 0, nesting };
	const blocks: MarkdownBlock[] = [];
	while (input.at < input.lines.length) {
		const line = input.lines[input.at] ?? "";
		if (line.trim() === "") input.at += 1;
		else blocks.push(parseBlock(input, line));
	}
	return blocks;
}

function parseBlock(input: Lines, line: string): MarkdownBlock {
	const [, fence] = FENCE.exec(line) ?? [];
	if (fence !== undefined) return parseCode(input, fence);
	const [, marks, title] = HEADING.exec(line) ?? [];
	if (marks !== undefined && title !== undefined) {
		input.at += 1;
		return { type: "heading", level: marks.length, text: title };
	}
	if (isRule(line)) {
		input.at += 1;
		return { type: "rule" };
	}
	if (input.nesting < MAX_NESTING) {
		if (QUOTE.test(line)) return parseQuote(input);
		if (ITEM.test(line)) return parseList(input);
	}
	return parseParagraph(input);
}

const isRule = (line: string): boolean => RULE.test(line.replace(/[ \t]/g, ""));

function parseCode(input: Lines, fence: string): MarkdownBlock {
	const first = input.at + 1;
	let end = first;
	while (end < input.lines.length && !(input.lines[end] ?? "").trim().startsWith(fence)) end += 1;
	input.at = end + 1;
	return { type: "code", text: input.lines.slice(first, end).join("\n") };
}

function parseQuote(input: Lines): MarkdownBlock {
	const quoted: string[] = [];
	for (; input.at < input.lines.length; input.at += 1) {
		const [, text] = QUOTE.exec(input.lines[input.at] ?? "") ?? [];
		if (text === undefined) break;
		quoted.push(text);
	}
	return { type: "quote", blocks: parseBlocks(quoted.join("\n"), input.nesting + 1) };
}

function parseList(input: Lines): MarkdownBlock {
	const [, indent = "", number] = ITEM.exec(input.lines[input.at] ?? "") ?? [];
	const items: MarkdownBlock[][] = [];
	for (;;) {
		const [, , itemNumber, text] = ITEM.exec(input.lines[input.at] ?? "") ?? [];
		const isSameKind = (itemNumber === undefined) === (number === undefined);
		if (text === undefined || !isSameKind || isRule(input.lines[input.at] ?? "")) break;
		input.at += 1;
		const lines = [text, ...takeItemLines(input, indent.length)];
		items.push(parseBlocks(lines.join("\n"), input.nesting + 1));
	}
	return { type: "list", start: number === undefined ? undefined : Number(number), items };
}

/** Takes the lines that belong to an item after its first one: those that are indented further, and text without a blank line. */
function takeItemLines(input: Lines, indent: number): string[] {
	const taken: string[] = [];
	for (; input.at < input.lines.length; input.at += 1) {
		const line = input.lines[input.at] ?? "";
		const isInside = toIndent(line) > indent + 1;
		if (line.trim() === "") {
			const next = input.lines[input.at + 1] ?? "";
			if (toIndent(next) <= indent + 1 && !ITEM.test(next)) break;
			taken.push("");
		} else if (isInside) taken.push(line.slice(Math.min(toIndent(line), indent + 2)));
		else if (startsBlock(line) || taken.at(-1) === "") break;
		else taken.push(line.trim());
	}
	return taken;
}

const toIndent = (line: string): number => (line.trim() === "" ? 0 : line.search(/\S/));

const startsBlock = (line: string): boolean =>
	FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || ITEM.test(line) || isRule(line);

function parseParagraph(input: Lines): MarkdownBlock {
	const first = input.at;
	do input.at += 1;
	while (input.at < input.lines.length && !endsParagraph(input.lines[input.at] ?? ""));
	return { type: "paragraph", text: input.lines.slice(first, input.at).join("\n").trim() };
}

const endsParagraph = (line: string): boolean => line.trim() === "" || startsBlock(line);
