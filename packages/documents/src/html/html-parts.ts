import { type BlockBuilder, createBlockBuilder } from "../block-builder";
import type { Heading, SourceRange, TextBlock } from "../document-part";
import type { HtmlElement, HtmlNode, HtmlParent } from "./html-tree";
import {
	descendants,
	getAttribute,
	hasDescendant,
	isBoilerplate,
	isElement,
	isNonText,
} from "./main-content";

/** Options of reading the blocks and headings of an HTML document. */
export interface HtmlReadOptions {
	/** The root is, or is in, the page's main content. */
	readonly inMain: boolean;
	/** Leaves out what stands around the content. */
	readonly skipBoilerplate: boolean;
	/** Offset in the source at which the tree's own offsets begin. Default 0. */
	readonly offset?: number;
}

interface HtmlWalk {
	readonly parts: (Heading | TextBlock)[];
	readonly builder: BlockBuilder;
	readonly options: HtmlReadOptions;
}

/** Context of a walk at one element. */
interface BlockContext {
	/** Effect of the start or end of an element here: it ends the block, a line in it, or only a word. */
	readonly boundary: "block" | "line" | "word";
	readonly indent: string;
	readonly inPre: boolean;
}

const BLOCKS = new Set(
	(
		"address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure " +
		"footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot " +
		"th thead tr ul"
	).split(" "),
);
const HEADING_LEVELS: ReadonlyMap<string, number> = new Map(
	[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, level]),
);
/** Link marks that generators add to headings. */
const PERMALINK = /\s*(?:[¶#§]|🔗)$/u;

/** Walks a tree and gives its headings and blocks. */
export function readHtmlParts(
	source: string,
	root: HtmlParent,
	options: HtmlReadOptions,
): (Heading | TextBlock)[] {
	const walk: HtmlWalk = { parts: [], builder: createBlockBuilder(source), options };
	addChildren(walk, root, { boundary: "block", indent: "", inPre: false });
	endBlock(walk);
	return walk.parts;
}

function endBlock({ builder, parts }: HtmlWalk): void {
	const block = builder.finish();
	if (block !== undefined) parts.push(block);
}

function addChildren(walk: HtmlWalk, parent: HtmlParent, context: BlockContext): void {
	for (const child of parent.children) addNode(walk, child, context);
}

function addNode(walk: HtmlWalk, node: HtmlNode, context: BlockContext): void {
	if (isElement(node)) addElement(walk, node, context);
	else if (node.kind !== "text") return;
	else if (context.inPre) walk.builder.addLines(node.value, toRange(walk, node));
	else walk.builder.add(node.value, toRange(walk, node));
}

function toRange({ options: { offset = 0 } }: HtmlWalk, range: SourceRange): SourceRange {
	return offset === 0 ? range : { start: offset + range.start, end: offset + range.end };
}

function addElement(walk: HtmlWalk, element: HtmlElement, context: BlockContext): void {
	const { tagName } = element;
	const { builder, options } = walk;
	if (isNonText(element) || (options.skipBoilerplate && isBoilerplate(element, options.inMain))) return;
	if (tagName === "br") endSegment(walk, { ...context, boundary: toLineBoundary(context) });
	else if (tagName === "img") builder.add(getAttribute(element, "alt") ?? "", toRange(walk, element));
	else if (!BLOCKS.has(tagName)) {
		if (tagName === "a") builder.addLink(getAttribute(element, "href") ?? "");
		addChildren(walk, element, context);
	} else {
		endSegment(walk, context);
		addBlock(walk, element, context);
		endSegment(walk, context);
	}
}

const toLineBoundary = ({ boundary }: BlockContext): "line" | "word" =>
	boundary === "word" ? "word" : "line";

function endSegment(walk: HtmlWalk, { boundary, indent }: BlockContext): void {
	if (boundary === "block") endBlock(walk);
	else if (boundary === "line") walk.builder.breakLine(indent);
	else walk.builder.addBlank();
}

function addBlock(walk: HtmlWalk, element: HtmlElement, context: BlockContext): void {
	const { tagName } = element;
	const { boundary } = context;
	if (HEADING_LEVELS.has(tagName) && boundary === "block") addHeading(walk, element);
	else if (tagName === "table" && boundary === "block" && !isLayout(element)) addTable(walk, element);
	else if ((tagName === "ul" || tagName === "ol") && boundary !== "word" && !isLayout(element))
		addList(walk, element, context);
	else addChildren(walk, element, tagName === "pre" ? { ...context, inPre: true } : context);
}

function addHeading(walk: HtmlWalk, element: HtmlElement): void {
	addChildren(walk, element, INLINE_CONTEXT);
	const block = walk.builder.finish();
	const text = block?.text.replace(PERMALINK, "") ?? "";
	if (block === undefined || text === "") return;
	const level = HEADING_LEVELS.get(element.tagName) ?? 1;
	walk.parts.push({ kind: "heading", level, text, start: block.start, end: block.end });
}

const INLINE_CONTEXT: BlockContext = { boundary: "word", indent: "", inPre: false };

/** Adds a table as one block with a line for each row. Its caption and the rows that name the columns lead its parts. */
function addTable(walk: HtmlWalk, table: HtmlElement): void {
	let leadLines = 0;
	let isLead = true;
	for (const row of descendants(table)) {
		if (row.tagName !== "tr" && row.tagName !== "caption") continue;
		walk.builder.startLine();
		if (row.tagName === "caption") addChildren(walk, row, INLINE_CONTEXT);
		else addRow(walk, row);
		isLead &&= row.tagName === "caption" || isHeaderRow(row);
		if (isLead && hasText(row)) leadLines += 1;
	}
	const block = walk.builder.finish();
	if (block === undefined) return;
	const lead = block.text.split("\n", leadLines).join("\n");
	walk.parts.push({ ...block, splitAt: "line", ...(lead !== "" && { lead }) });
}

function isHeaderRow(row: HtmlElement): boolean {
	const cells = row.children.filter(isElement);
	const isInHead = row.parent?.kind === "element" && row.parent.tagName === "thead";
	return isInHead || cells.every(({ tagName }) => tagName === "th");
}

const hasText = (node: HtmlParent): boolean =>
	node.children.some((child) => {
		if (child.kind === "text") return child.value.trim() !== "";
		return isElement(child) && !isNonText(child) && hasText(child);
	});

function addRow(walk: HtmlWalk, row: HtmlElement): void {
	for (const [index, cell] of row.children.filter(isElement).entries()) {
		if (index > 0) walk.builder.addSeparator(" | ");
		addChildren(walk, cell, INLINE_CONTEXT);
	}
}

function addList(walk: HtmlWalk, list: HtmlElement, { indent }: BlockContext): void {
	const inside: BlockContext = { boundary: "line", indent: `${indent}  `, inPre: false };
	let number = 1;
	for (const child of list.children) {
		if (!isElement(child) || child.tagName !== "li") {
			addNode(walk, child, inside);
			continue;
		}
		walk.builder.startLine(indent + (list.tagName === "ol" ? `${number++}. ` : "- "));
		addChildren(walk, child, inside);
	}
}

/** Lists and tables that arrange parts of the page are read as those parts. */
function isLayout(element: HtmlElement): boolean {
	if (getAttribute(element, "role") === "presentation") return true;
	return hasDescendant(
		element,
		({ tagName }) => HEADING_LEVELS.has(tagName) || (tagName === "table" && element.tagName === "table"),
	);
}
