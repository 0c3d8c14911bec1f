import type { BlockBuilder } from "../block-builder";
import { addInline } from "./inline-text";
import { childrenOf, type MarkdownNode, type MarkdownSource, toRange } from "./markdown-tree";

/** Adds the text of a block that is neither a heading nor HTML; others give nothing. */
export function addBlock(builder: BlockBuilder, source: MarkdownSource, node: MarkdownNode): void {
	if (node.name === "Paragraph") addInline(builder, source, node);
	else if (isList(node)) addList(builder, source, node);
	else if (node.name === "Table") addTable(builder, source, node);
	else if (isCode(node)) addCode(builder, source, node);
}

/** Adds a list with a line for each item; what is nested is indented. */
function addList(builder: BlockBuilder, source: MarkdownSource, list: MarkdownNode, indent = ""): void {
	const isOrdered = list.name === "OrderedList";
	let number = isOrdered ? readFirstNumber(source, list) : 0;
	for (const item of childrenOf(list).filter(({ name }) => name === "ListItem")) {
		builder.startLine(isOrdered ? `${indent}${number++}. ` : `${indent}- `);
		const content = childrenOf(item).filter(({ name }) => name !== "ListMark" && name !== "QuoteMark");
		for (const [index, child] of content.entries()) {
			if (index > 0) builder.startLine(`${indent}  `);
			addItemContent(builder, source, child, indent);
		}
	}
}

function readFirstNumber({ text }: MarkdownSource, list: MarkdownNode): number {
	const mark = list.getChild("ListItem")?.getChild("ListMark");
	return mark ? Number.parseInt(text.slice(mark.from, mark.to), 10) : 1;
}

function addItemContent(
	builder: BlockBuilder,
	source: MarkdownSource,
	node: MarkdownNode,
	indent: string,
): void {
	const { name } = node;
	if (isList(node)) addList(builder, source, node, `${indent}  `);
	else if (name === "Blockquote")
		for (const child of childrenOf(node)) addItemContent(builder, source, child, indent);
	else if (name === "Task" || toHeadingLevel(name) !== undefined) addInline(builder, source, node);
	else addBlock(builder, source, node);
}

/** Adds a table with a line for each row. Cells that are empty have no node: the marks between cells count. */
function addTable(builder: BlockBuilder, source: MarkdownSource, table: MarkdownNode): void {
	for (const row of childrenOf(table).filter(({ name }) => name === "TableHeader" || name === "TableRow")) {
		builder.startLine();
		for (const [index, child] of childrenOf(row).entries()) {
			if (child.name === "TableCell") addInline(builder, source, child);
			else if (child.name === "TableDelimiter" && index > 0) builder.addSeparator(" | ");
		}
	}
}

/** Adds code; its lines lose as many blanks as there are before its first mark (CommonMark, "Fenced code blocks"). */
function addCode(builder: BlockBuilder, { text }: MarkdownSource, node: MarkdownNode): void {
	const pieces = childrenOf(node).filter(({ name }) => name === "CodeText");
	const code = pieces.map(({ from, to }) => text.slice(from, to)).join("");
	const start = pieces.find(({ from }) => text[from] !== "\n")?.from ?? node.from;
	const indent = columnOf(text, node.from) - columnOf(text, start);
	const isIndented = node.name === "FencedCode" && indent > 0;
	const lines = isIndented ? code.replace(new RegExp(`^ {1,${indent}}`, "gm"), "") : code;
	builder.addLines(lines, toRange(node));
}

/** Characters between the start of the line and an offset. */
const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf("\n", offset - 1) + 1);

const isList = ({ name }: MarkdownNode): boolean => name === "BulletList" || name === "OrderedList";
const isCode = ({ name }: MarkdownNode): boolean => name === "FencedCode" || name === "CodeBlock";

/** Level of a heading by the name of its node; none for other nodes. */
export function toHeadingLevel(name: string): number | undefined {
	const [, level] = /^(?:ATX|Setext)Heading([1-6])$/.exec(name) ?? [];
	return level === undefined ? undefined : Number(level);
}
