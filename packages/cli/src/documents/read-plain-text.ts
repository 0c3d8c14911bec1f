import { createBlockBuilder } from "./block-builder";
import type { Heading, ParsedDocument, TextBlock } from "./document-part";

interface Line {
	readonly text: string;
	readonly start: number;
}

/** Lines this long are taken for running text that was wrapped; the line ends of shorter ones are kept. */
const WRAPPED_LINE_LENGTH = 40;
const LIST_MARK = /^\s*(?:[-*+•·–]|\(?\d{1,3}[.)])\s/;

/** Reads text: paragraphs are set apart by empty lines. */
export function readPlainText(source: string): ParsedDocument {
	return { parts: toParagraphs(toLines(source)).flatMap((lines) => toBlock(source, lines)) };
}

/** Reads reStructuredText: a line underlined by marks is a heading; levels in the order in which marks first appear. */
export function readRestructuredText(source: string): ParsedDocument {
	const marks: string[] = [];
	return readWithHeadings(source, ({ text }, next) => {
		if (next === undefined || !/^([=\-~^"'`#*+.:_<>])\1+$/.test(next.text) || next.text.length < text.length)
			return undefined;
		const mark = next.text.charAt(0);
		if (!marks.includes(mark)) marks.push(mark);
		return { level: marks.indexOf(mark) + 1, text: text.trim(), lines: 2 };
	});
}

/** Reads Org: stars begin a heading, `#+title:` names the document, other `#+` lines are not text. */
export function readOrg(source: string): ParsedDocument {
	const title = /^#\+title:\s*(.+)$/im.exec(source)?.[1]?.trim();
	const document = readWithHeadings(source, ({ text }) => {
		if (/^#\+\w/.test(text)) return { level: 0, text: "", lines: 1 };
		const [, stars = "", heading = ""] = /^(\*+)\s+(.*?)(?:\s+:[\w:@]+:)?$/.exec(text) ?? [];
		return stars === "" ? undefined : { level: stars.length, text: heading, lines: 1 };
	});
	return { title, parts: document.parts };
}

interface FoundHeading {
	readonly level: number;
	/** Empty for lines to leave out. */
	readonly text: string;
	/** How many lines it takes up. */
	readonly lines: number;
}

function readWithHeadings(
	source: string,
	findHeading: (line: Line, next: Line | undefined) => FoundHeading | undefined,
): ParsedDocument {
	const parts: (Heading | TextBlock)[] = [];
	for (const paragraph of toParagraphs(toLines(source))) {
		let body: Line[] = [];
		for (let index = 0; index < paragraph.length; index++) {
			const line = paragraph[index];
			if (line === undefined) break;
			const heading = findHeading(line, paragraph[index + 1]);
			if (heading === undefined) {
				body.push(line);
				continue;
			}
			parts.push(...toBlock(source, body));
			body = [];
			index += heading.lines - 1;
			const { level, text } = heading;
			if (text !== "")
				parts.push({ kind: "heading", level, text, start: line.start, end: line.start + line.text.length });
		}
		parts.push(...toBlock(source, body));
	}
	return { parts };
}

function toLines(source: string): Line[] {
	return [...source.matchAll(/[^\r\n\f]+|\r?\n|\r|\f/g)].flatMap(({ 0: text, index }) =>
		/^[\r\n\f]/.test(text) ? [{ text: "", start: index }] : [{ text: text.trimEnd(), start: index }],
	);
}
