import type { Heading, ParsedDocument, TextBlock } from "./document-part";
import { type Line, toBlock, toParagraphs } from "./text-lines";

interface FoundHeading {
	readonly level: number;
	/** Empty for lines that are to be left out. */
	readonly text: string;
	/** Number of lines that the heading takes up. */
	readonly lines: number;
}

type FindHeading = (line: Line, next: Line | undefined) => FoundHeading | undefined;

/** Reads text: paragraphs are set apart by empty lines. */
export function readPlainText(source: string): ParsedDocument {
	return { parts: toParagraphs(source).flatMap((lines) => toBlock(source, lines)) };
}

/** Reads reStructuredText: a line underlined by marks is a heading, its level the order in which marks first appear. */
export function readRestructuredText(source: string): ParsedDocument {
	const marks: string[] = [];
	const parts = readWithHeadings(source, ({ text }, next) => {
		const underline = next?.text ?? "";
		if (!/^([=\-~^"'`#*+.:_<>])\1+$/.test(underline) || underline.length < text.length) return undefined;
		const mark = underline.charAt(0);
		if (!marks.includes(mark)) marks.push(mark);
		return { level: marks.indexOf(mark) + 1, text: text.trim(), lines: 2 };
	});
	return { parts };
}

/** Reads Org: stars begin a heading, `#+title:` names the document, other `#+` lines are not text. */
export function readOrg(source: string): ParsedDocument {
	const parts = readWithHeadings(source, ({ text }) => {
		if (/^#\+\w/.test(text)) return { level: 0, text: "", lines: 1 };
		const [, stars = "", heading = ""] = /^(\*+)\s+(\S.*)$/.exec(text) ?? [];
		return stars === "" ? undefined : { level: stars.length, text: heading, lines: 1 };
	});
	return { title: /^#\+title:[^\S\n]*(\S.*)$/im.exec(source)?.[1]?.trim(), parts };
}

function readWithHeadings(source: string, find: FindHeading): (Heading | TextBlock)[] {
	return toParagraphs(source).flatMap((lines) => splitAtHeadings(source, lines, find));
}

function splitAtHeadings(source: string, lines: readonly Line[], find: FindHeading): (Heading | TextBlock)[] {
	const parts: (Heading | TextBlock)[] = [];
	let body: Line[] = [];
	for (let index = 0; index < lines.length; index++) {
		const line = lines[index] ?? { text: "", start: 0 };
		const found = find(line, lines[index + 1]);
		if (found === undefined) {
			body.push(line);
			continue;
		}
		parts.push(...toBlock(source, body));
		body = [];
		index += found.lines - 1;
		if (found.text !== "") parts.push(toHeading(found, line));
	}
	return [...parts, ...toBlock(source, body)];
}

const toHeading = ({ level, text }: FoundHeading, line: Line): Heading => ({
	kind: "heading",
	level,
	text,
	start: line.start,
	end: line.start + line.text.length,
});
