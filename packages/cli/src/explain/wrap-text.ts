import { type Style, sanitizeText } from "../terminal/terminal";

/** A paragraph of an explanation: a title, and lines below it. */
export interface TextBlock {
	readonly title: string;
	/** Note after the title, in a lighter style. */
	readonly note?: string;
	readonly lines: readonly TextLine[];
}

export interface TextLine {
	readonly text: string;
	/** Below the line before it. Default false. */
	readonly isDetail?: boolean;
	readonly isWarning?: boolean;
}

export interface TextLayout {
	/** Columns at which lines are broken; infinite for a file. */
	readonly width: number;
	readonly paint: (format: Style, text: string) => string;
}

/** Blocks with an empty line between them. Text of agent files is on one line and moves no cursor. */
export const renderBlocks = (blocks: readonly TextBlock[], layout: TextLayout): string =>
	blocks.map((block) => renderBlock(block, layout)).join("\n");

function renderBlock({ title, note = "", lines }: TextBlock, layout: TextLayout): string {
	const light = note === "" ? "" : `  ${layout.paint("dim", toLine(note))}`;
	const head = `${layout.paint("bold", toLine(title))}${light}\n`;
	return head + lines.map((line) => renderLine(line, layout)).join("");
}

function renderLine(
	{ text, isDetail = false, isWarning = false }: TextLine,
	{ width, paint }: TextLayout,
): string {
	const indent = isDetail ? 4 : 2;
	return wrapLine(toLine(text), width - indent - 2)
		.map(
			(part, index) =>
				`${" ".repeat(indent + (index > 0 ? 2 : 0))}${isWarning ? paint("yellow", part) : part}\n`,
		)
		.join("");
}

const toLine = (text: string): string => sanitizeText(text.replace(/\s+/g, " ").trim());

/** Breaks between words; a word that is longer than a line has one of its own. */
export function wrapLine(text: string, width: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		if (line !== "" && line.length + 1 + word.length > width) {
			lines.push(line);
			line = word;
		} else line = line === "" ? word : `${line} ${word}`;
	}
	return [...lines, line];
}
