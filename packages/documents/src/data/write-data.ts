import type { ParsedDocument } from "../document-part";
import { createTextExtraction, type TextExtraction } from "../text-extraction";
import { UnreadableError } from "../unreadable-error";
import type { DataList, DataNode, DataRecord } from "./data-node";
import { toFlatLines } from "./flat-lines";
import { toRecordTable } from "./record-table";

/** Size up to which a value is written as one block, with all that is in it. */
const MAX_BLOCK_CHARACTERS = 1_000;
/** Size up to which a value in a larger one has no heading of its own. */
const MAX_INLINE_CHARACTERS = 250;
/** Longer texts, and those with line ends, are paragraphs. */
const MAX_LINE_TEXT_CHARACTERS = 200;
/** Level of the headings of the outermost keys, and of the innermost. Level 1 is the document's title. */
const FIRST_LEVEL = 2;
const MAX_HEADING_LEVEL = 6;
/** Maximum length of all lines: a short file can have long keys above very many values. */
const MAX_DATA_CHARACTERS = 20_000_000;
/** Keys whose value names the record that they are in. */
const NAME_KEYS = ["title", "name", "id", "key", "label", "metadata.name"];
const MAX_NAME_CHARACTERS = 120;

/** Writes data as text: keys as headings, records of one kind as a table, long texts as paragraphs. */
export function writeData(root: DataNode | undefined): ParsedDocument {
	const extraction = createTextExtraction();
	if (root === undefined) return extraction.finish();
	createDataWriter(extraction)(root, FIRST_LEVEL);
	return extraction.finish(root.kind === "record" ? findText(root, "title") : undefined);
}

type WriteNode = (node: DataNode, level: number) => void;

function createDataWriter(extraction: TextExtraction): WriteNode {
	let characters = 0;

	function addLines(lines: Iterable<string>): void {
		const pieces: { text: string }[] = [];
		for (const text of lines) {
			characters += text.length;
			if (characters > MAX_DATA_CHARACTERS)
				throw new UnreadableError("it is too long when its keys are written out", { code: "too_complex" });
			pieces.push({ text });
		}
		extraction.addBlock(pieces, { separator: "\n" });
	}

	function writeRecord({ entries }: DataRecord, level: number): void {
		const inline = entries.filter(([, value]) => isInline(value));
		const texts = entries.filter(([, value]) => value.kind === "scalar" && !isInline(value));
		const sections = entries.filter(([, value]) => value.kind !== "scalar" && !isInline(value));
		addLines(inline.flatMap(([key, value]) => [...toFlatLines(value, key)]));
		for (const [key, value] of texts)
			for (const text of toParagraphs([...toFlatLines(value, key)])) addLines([text]);
		for (const [key, value] of sections) {
			extraction.addHeading(level, { text: key });
			write(value, level + 1);
		}
	}

	function writeList({ items }: DataList, level: number): void {
		const table = toRecordTable(items);
		if (table !== undefined) return extraction.addTable(table);
		if (items.every(({ kind }) => kind === "scalar"))
			return addLines(items.flatMap((item) => [...toFlatLines(item)]));
		for (const [index, item] of items.entries()) {
			if (!isBlock(item) && level <= MAX_HEADING_LEVEL) {
				extraction.addHeading(level, { text: findName(item) ?? `[${index}]` });
				write(item, level + 1);
			} else addLines(toFlatLines(item));
		}
	}

	function write(node: DataNode, level: number): void {
		if (node.kind === "scalar") for (const text of toParagraphs([node.text])) addLines([text]);
		else if (node.kind === "list") writeList(node, level);
		else if (isBlock(node) || level > MAX_HEADING_LEVEL) addLines(toFlatLines(node));
		else writeRecord(node, level);
	}

	return write;
}

const isInline = (value: DataNode): boolean =>
	value.kind === "scalar"
		? value.size <= MAX_LINE_TEXT_CHARACTERS && !value.text.includes("\n")
		: value.size <= MAX_INLINE_CHARACTERS && !value.hasTable;

/** Tells whether a value is written as one block. */
const isBlock = ({ size, hasTable }: DataNode): boolean => size <= MAX_BLOCK_CHARACTERS && !hasTable;

/** Paragraphs of long texts, which empty lines part. */
const toParagraphs = (texts: readonly string[]): string[] => texts.flatMap((text) => text.split(/\n\s*\n/u));

/** Name of a value in a list: its title, name or id. */
function findName(node: DataNode): string | undefined {
	if (node.kind !== "record") return undefined;
	return NAME_KEYS.map((key) => findText(node, key)).find((text) => text !== undefined);
}

/** Short text at a path of keys. */
function findText(node: DataRecord, path: string): string | undefined {
	const [key = "", ...rest] = path.split(".");
	const value = node.entries.find(([name]) => name === key)?.[1];
	if (value?.kind === "record" && rest.length > 0) return findText(value, rest.join("."));
	return value?.kind === "scalar" && value.size <= MAX_NAME_CHARACTERS ? value.text : undefined;
}
