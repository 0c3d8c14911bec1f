import { decodeHTMLStrict } from "entities";
import type { BlockBuilder } from "../block-builder";
import {
	childrenOf,
	type MarkdownNode,
	type MarkdownSource,
	normalizeLabel,
	replaceFootnoteLabels,
	toRange,
} from "./markdown-tree";

/** Marks that show nothing. */
const HIDDEN = new Set([
	...["EmphasisMark", "StrikethroughMark", "CodeMark", "LinkMark", "QuoteMark", "HeaderMark", "ListMark"],
	...["TaskMarker", "LinkTitle", "LinkLabel", "Comment", "ProcessingInstruction"],
]);
const FOOTNOTE = /^\[\^[^\]]+\]$/;

/**
 * Adds running text of a node: links give their text, images what they show, tags and footnote marks nothing.
 *
 * @param end - of the text. Default: the end of the node.
 */
export function addInline(
	builder: BlockBuilder,
	source: MarkdownSource,
	node: MarkdownNode,
	end = node.to,
): void {
	const children = childrenOf(node).filter(({ from }) => from < end);
	addChildren(builder, source, node, children, end);
}

/** Adds what stands between children as text, up to `end`. */
function addChildren(
	builder: BlockBuilder,
	source: MarkdownSource,
	{ from }: MarkdownNode,
	children: readonly MarkdownNode[],
	end: number,
): void {
	let position = from;
	for (const child of children) {
		addText(builder, source, position, child.from);
		addChild(builder, source, child);
		position = child.to;
	}
	addText(builder, source, position, end);
}

function addText(builder: BlockBuilder, { text }: MarkdownSource, start: number, end: number): void {
	if (start >= end) return;
	const written = text.slice(start, end);
	builder.add(written.includes("[^") ? replaceFootnoteLabels(written, " ") : written, { start, end });
}

function addChild(builder: BlockBuilder, source: MarkdownSource, node: MarkdownNode): void {
	const { name, from, to } = node;
	if (HIDDEN.has(name)) return;
	const written = source.text.slice(from, to);
	if (name === "Escape") builder.add(written.slice(1), toRange(node));
	else if (name === "Entity") builder.add(decodeHTMLStrict(written), toRange(node));
	else if (name === "HardBreak") builder.breakLine();
	else if (name === "HTMLTag") addTag(builder, node, written);
	else if (name === "InlineCode") addCode(builder, node, written);
	else if (name === "Link" || name === "Image") addLink(builder, source, node, written);
	else addInline(builder, source, node);
}

function addTag(builder: BlockBuilder, node: MarkdownNode, tag: string): void {
	if (/^<br\b/i.test(tag)) builder.addBlank();
	const [, , alternative] = /^<img\b[^>]*?\salt=(["'])(.*?)\1/is.exec(tag) ?? [];
	if (alternative !== undefined) builder.add(decodeHTMLStrict(alternative), toRange(node));
}

/** Code without its marks, and without one blank at each end (CommonMark, "Code spans"). */
function addCode(builder: BlockBuilder, { from, to, parent }: MarkdownNode, written: string): void {
	const marks = /^`+/.exec(written)?.[0].length ?? 0;
	const inside = written.slice(marks, -marks);
	const isPadded = /^\s[\s\S]*\s$/.test(inside) && inside.trim() !== "";
	const [start, end] = isPadded ? [from + marks + 1, to - marks - 1] : [from + marks, to - marks];
	const code = isPadded ? inside.slice(1, -1) : inside;
	// A line of a cell's text: only there is it written like this (GFM, "Tables").
	builder.add(parent?.name === "TableCell" ? code.replaceAll("\\|", "|") : code, { start, end });
}

/** A link gives its text; where nothing defines it, its brackets are text too. */
function addLink(builder: BlockBuilder, source: MarkdownSource, node: MarkdownNode, written: string): void {
	if (FOOTNOTE.test(written)) return;
	const children = childrenOf(node);
	const marks = children.filter(({ name }) => name === "LinkMark");
	const [open, close] = marks;
	if (open === undefined || close === undefined) return addText(builder, source, node.from, node.to);
	if (!isDefined(source, node, marks.length)) return addUndefined(builder, source, node, children);
	if (node.name === "Link") builder.addLink(findAddress(source, node));
	const content = children.filter(({ from, to }) => from >= open.to && to <= close.from);
	let position = open.to;
	for (const child of content) {
		addText(builder, source, position, child.from);
		addChild(builder, source, child);
		position = child.to;
	}
	addText(builder, source, position, close.from);
}

/** Checks whether a link has an address of its own, or a label that is defined. */
const isDefined = (source: MarkdownSource, node: MarkdownNode, marks: number): boolean =>
	marks > 2 || source.labels.has(readLabel(source, node));

/** Label of a link: the one that it names, or else its text. */
function readLabel({ text }: MarkdownSource, node: MarkdownNode): string {
	const label = node.getChild("LinkLabel");
	const given = label === null ? "" : normalizeLabel(text.slice(label.from, label.to));
	const end = label?.from ?? node.to;
	return given || normalizeLabel(text.slice(node.from, end).trim().replace(/^!/, ""));
}

/** Address of a link: its own, or the one that its label is defined with. */
function findAddress(source: MarkdownSource, node: MarkdownNode): string {
	const url = node.getChild("URL");
	if (url === null) return source.labels.get(readLabel(source, node)) ?? "";
	return source.text.slice(url.from, url.to).replace(/^</, "");
}

function addUndefined(
	builder: BlockBuilder,
	source: MarkdownSource,
	node: MarkdownNode,
	children: readonly MarkdownNode[],
): void {
	const content = children.filter(({ name }) => name !== "LinkMark" && name !== "LinkLabel");
	addChildren(builder, source, node, content, node.to);
}
