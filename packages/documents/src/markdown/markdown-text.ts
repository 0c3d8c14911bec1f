import type { fromMarkdown } from "mdast-util-from-markdown";
import type { BlockBuilder } from "../block-builder";
import type { SourceRange } from "../document-part";

/** Any node of a Markdown tree below its root. */
export type MarkdownNode = ReturnType<typeof fromMarkdown>["children"][number];

type NodeOf<Type extends MarkdownNode["type"]> = Extract<MarkdownNode, { type: Type }>;

/** Returns the range of a node in the source. */
export function toRange({ position }: MarkdownNode): SourceRange {
	return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

/** Adds running text: links give their text, images what they show, tags nothing. */
export function addInline(builder: BlockBuilder, nodes: readonly MarkdownNode[]): void {
	for (const node of nodes) {
		if (node.type === "text" || node.type === "inlineCode") builder.add(node.value, toRange(node));
		else if (node.type === "image" || node.type === "imageReference")
			builder.add(node.alt ?? "", toRange(node));
		else if (node.type === "break") builder.breakLine();
		else if (node.type === "html" && /^<br\b/i.test(node.value)) builder.addBlank();
		else if ("children" in node) addInline(builder, node.children);
	}
}

/** Adds a list with a line for each item; what is nested is indented. */
export function addList(builder: BlockBuilder, list: NodeOf<"list">, indent = ""): void {
	let number = list.start ?? 1;
	for (const item of list.children) {
		builder.startLine(list.ordered ? `${indent}${number++}. ` : `${indent}- `);
		for (const [index, child] of item.children.entries()) {
			if (index > 0) builder.startLine(`${indent}  `);
			addItemContent(builder, child, indent);
		}
	}
}

function addItemContent(builder: BlockBuilder, node: MarkdownNode, indent: string): void {
	if (node.type === "list") addList(builder, node, `${indent}  `);
	else if (node.type === "table") addTable(builder, node);
	else if (node.type === "code") builder.addLines(node.value, toRange(node));
	else if (node.type === "paragraph" || node.type === "heading") addInline(builder, node.children);
	else if (node.type === "blockquote")
		for (const child of node.children) addItemContent(builder, child, indent);
}

/** Adds a table with a line for each row. */
export function addTable(builder: BlockBuilder, table: NodeOf<"table">): void {
	for (const row of table.children) {
		builder.startLine();
		for (const [index, cell] of row.children.entries()) {
			if (index > 0) builder.addSeparator(" | ");
			addInline(builder, cell.children);
		}
	}
}
