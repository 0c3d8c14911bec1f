import type { ParsedDocument } from "../document-part";
import { createTextExtraction, type TextExtraction } from "../text-extraction";
import { isCodedTitle } from "./document-properties";
import type { OfficeBlock } from "./office-block";
import { toTable } from "./to-table";

type ListItem = Extract<OfficeBlock, { kind: "item" }>;
type Paragraph = Extract<OfficeBlock, { kind: "paragraph" }>;

/** Options of making a document of blocks. */
export interface ToDocumentOptions {
	/** One of the headings can be the title of the document. Default true. */
	readonly isTitleInText?: boolean;
}

/** Makes a document of the parts of an office file. @param title - from the properties of the file. */
export function toDocument(
	blocks: readonly OfficeBlock[],
	title?: string,
	{ isTitleInText = true }: ToDocumentOptions = {},
): ParsedDocument {
	const extraction = createTextExtraction();
	const toLevel = isTitleInText ? planLevels(blocks) : ({ level }: { level: number }) => level + 1;
	let items: ListItem[] = [];
	/** A paragraph that may lead into a list. */
	let paragraph: Paragraph | undefined;

	function flush(): void {
		addList(extraction, paragraph, items);
		paragraph = undefined;
		items = [];
	}

	for (const block of blocks) {
		if (block.kind === "item") {
			items.push(block);
			continue;
		}
		if (block.kind !== "table" && block.text.trim() === "") continue;
		flush();
		if (block.kind === "heading")
			extraction.addHeading(toLevel(block), { text: block.text, place: block.place });
		else if (block.kind === "paragraph") paragraph = block;
		else extraction.addTable(toTable(block));
	}
	flush();
	return extraction.finish(title === undefined || isCodedTitle(title) ? undefined : title);
}

/** Adds a paragraph and the list after it: as one block where the paragraph announces the list. */
function addList(
	extraction: TextExtraction,
	paragraph: Paragraph | undefined,
	items: readonly ListItem[],
): void {
	const isLeadIn = paragraph !== undefined && items.length > 0 && /[:：]\s*$/u.test(paragraph.text);
	if (paragraph !== undefined && !isLeadIn) extraction.addBlock([paragraph]);
	const [first] = items;
	if (first === undefined) return;
	const outermost = Math.min(...items.map(({ level }) => level));
	const lines = items.map((item) => toLine(item, outermost));
	const lead = isLeadIn ? paragraph.text.trim() : undefined;
	const text = [...(lead === undefined ? [] : [lead]), ...lines].join("\n");
	extraction.addBlock([{ text, place: first.place }], lead === undefined ? {} : { lead });
}

const toLine = ({ level, mark, text }: ListItem, outermost: number): string => {
	const indent = "  ".repeat(level - outermost);
	return `${indent}${mark === "" ? "" : `${mark} `}${text.trim().replaceAll("\n", `\n${indent}  `)}`;
};

/**
 * Levels of headings, where only the title of the document has the first one: the first heading of the style for titles,
 * else a highest heading that comes first and is the only one.
 */
function planLevels(blocks: readonly OfficeBlock[]): (heading: OfficeBlock & { level: number }) => number {
	const headings = blocks.filter((block) => block.kind === "heading" && block.text.trim() !== "");
	const title = headings.find((heading) => "level" in heading && heading.level === 0);
	const highest = headings.filter((heading) => "level" in heading && heading.level === 1);
	const isTitled = title === undefined && highest.length === 1 && highest[0] === headings[0];
	return (heading) => {
		if (heading === title) return 1;
		return isTitled ? heading.level : Math.max(heading.level, 1) + 1;
	};
}
