import { type BlockBuilder, createBlockBuilder } from "./block-builder";
import type { Heading, SourceRange, TextBlock } from "./document-part";
import {
	attributeOf,
	descendants,
	type HtmlElement,
	type HtmlNode,
	type HtmlParent,
	holdsNoText,
	isAround,
	isElement,
} from "./html-main";

export interface HtmlReading {
	/** The root is, or is in, the page's main content. */
	readonly inMain: boolean;
	/** Leaves out what stands around the content. */
	readonly dropAround: boolean;
	/** Where in the source the tree's own offsets begin. Default 0. */
	readonly offset?: number;
}

interface Walk {
	readonly parts: (Heading | TextBlock)[];
	readonly builder: BlockBuilder;
	readonly reading: HtmlReading;
}

/** Where a walk is. */
interface Surroundings {
	/** What the ends of an element mean here: the end of the block, of a line in it, or only of a word. */
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
const HEADING = /^h([1-6])$/;
/** What generators hang on headings to link to them. */
const PERMALINK = /\s*(?:[¶#§]|🔗)$/u;

/** Walks a tree and gives its headings and blocks. */
export function readHtmlParts(
	source: string,
	root: HtmlParent,
	reading: HtmlReading,
): (Heading | TextBlock)[] {
	const walk: Walk = { parts: [], builder: createBlockBuilder(source), reading };
	addChildren(walk, root, { boundary: "block", indent: "", inPre: false });
	endBlock(walk);
	return walk.parts;
}

function endBlock({ builder, parts }: Walk): void {
	const block = builder.finish();
	if (block !== undefined) parts.push(block);
}

function addChildren(walk: Walk, parent: HtmlParent, surroundings: Surroundings): void {
	for (const child of parent.childNodes) addNode(walk, child, surroundings);
}

function addNode(walk: Walk, node: HtmlNode, surroundings: Surroundings): void {
	if (isElement(node)) addElement(walk, node, surroundings);
	else if (node.nodeName !== "#text" || !("value" in node)) return;
	else if (surroundings.inPre) walk.builder.addLines(node.value, rangeOf(walk, node));
	else walk.builder.add(node.value, rangeOf(walk, node));
}

function rangeOf({ reading: { offset = 0 } }: Walk, { sourceCodeLocation }: HtmlNode): SourceRange {
	const { startOffset = 0, endOffset = 0 } = sourceCodeLocation ?? {};
	return { start: offset + startOffset, end: offset + endOffset };
}

function addElement(walk: Walk, element: HtmlElement, surroundings: Surroundings): void {
	const { tagName } = element;
	const { builder, reading } = walk;
	if (holdsNoText(element) || (reading.dropAround && isAround(element, reading.inMain))) return;
	if (tagName === "br") endPiece(walk, { ...surroundings, boundary: lineOf(surroundings) });
	else if (tagName === "img") builder.add(attributeOf(element, "alt") ?? "", rangeOf(walk, element));
	else if (!BLOCKS.has(tagName)) addChildren(walk, element, surroundings);
	else {
		endPiece(walk, surroundings);
		addBlock(walk, element, surroundings);
		endPiece(walk, surroundings);
	}
}

const lineOf = ({ boundary }: Surroundings): "line" | "word" => (boundary === "word" ? "word" : "line");

function endPiece(walk: Walk, { boundary, indent }: Surroundings): void {
	if (boundary === "block") endBlock(walk);
	else if (boundary === "line") walk.builder.breakLine(indent);
	else walk.builder.addBlank();
}

function addBlock(walk: Walk, element: HtmlElement, surroundings: Surroundings): void {
	const { tagName } = element;
	const { boundary } = surroundings;
	if (HEADING.test(tagName) && boundary === "block") addHeading(walk, element);
	else if (tagName === "table" && boundary === "block" && !isLayout(element)) addTable(walk, element);
	else if ((tagName === "ul" || tagName === "ol") && boundary !== "word" && !isLayout(element))
		addList(walk, element, surroundings);
	else addChildren(walk, element, { ...surroundings, inPre: surroundings.inPre || tagName === "pre" });
}

function addHeading(walk: Walk, element: HtmlElement): void {
	addChildren(walk, element, IN_LINE);
	const block = walk.builder.finish();
	const text = block?.text.replace(PERMALINK, "") ?? "";
	if (block === undefined || text === "") return;
	const level = Number(element.tagName.slice(1));
	walk.parts.push({ kind: "heading", level, text, start: block.start, end: block.end });
}

const IN_LINE: Surroundings = { boundary: "word", indent: "", inPre: false };

function addTable(walk: Walk, table: HtmlElement): void {
	for (const row of descendants(table)) {
		if (row.tagName !== "tr" && row.tagName !== "caption") continue;
		walk.builder.startLine();
		if (row.tagName === "caption") addChildren(walk, row, IN_LINE);
		else addRow(walk, row);
	}
}

function addRow(walk: Walk, row: HtmlElement): void {
	for (const [index, cell] of row.childNodes.filter(isElement).entries()) {
		if (index > 0) walk.builder.separate(" | ");
		addChildren(walk, cell, IN_LINE);
	}
}

function addList(walk: Walk, list: HtmlElement, { indent }: Surroundings): void {
	const inside: Surroundings = { boundary: "line", indent: `${indent}  `, inPre: false };
	let number = 1;
	for (const child of list.childNodes) {
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
	if (attributeOf(element, "role") === "presentation") return true;
	return descendants(element).some(
		({ tagName }) => HEADING.test(tagName) || (tagName === "table" && element.tagName === "table"),
	);
}
