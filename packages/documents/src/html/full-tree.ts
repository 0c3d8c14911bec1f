import { type DefaultTreeAdapterTypes, html, parse, parseFragment } from "parse5";
import { createBoundedTree } from "./bounded-tree";
import {
	type HtmlAttribute,
	type HtmlElement,
	type HtmlNode,
	type HtmlParent,
	KEPT_ATTRIBUTES,
} from "./html-tree";

const NO_ATTRIBUTES: readonly HtmlAttribute[] = [];

/**
 * Tree of any page, or part of one, as browsers build it (HTML, "Parsing HTML documents").
 *
 * @throws UnreadableError for elements that are nested too deeply.
 */
export function parseFullHtml(source: string, isFragment: boolean): HtmlParent {
	const options = { sourceCodeLocationInfo: true, treeAdapter: createBoundedTree(source) };
	return toRoot(isFragment ? parseFragment(source, options) : parse(source, options));
}

function toRoot({ childNodes }: DefaultTreeAdapterTypes.ParentNode): HtmlParent {
	const root: HtmlParent = { kind: "root", children: [] };
	for (const node of childNodes) addNode(root, node);
	return root;
}

function addNode(parent: HtmlParent, node: DefaultTreeAdapterTypes.ChildNode): void {
	const { startOffset: start = 0, endOffset: end = 0 } = node.sourceCodeLocation ?? {};
	if ("value" in node) parent.children.push({ kind: "text", value: node.value, start, end });
	else if ("tagName" in node) parent.children.push(toElement(parent, node));
	else if (node.nodeName === "#comment") parent.children.push({ kind: "comment" });
}

const isTitleOfDrawing = (node: DefaultTreeAdapterTypes.ChildNode): boolean =>
	"tagName" in node && node.tagName === "title" && node.namespaceURI === html.NS.SVG;

function toElement(parent: HtmlParent, element: DefaultTreeAdapterTypes.Element): HtmlElement {
	const { tagName, attrs, childNodes, sourceCodeLocation } = element;
	const { startOffset: start = 0, endOffset: end = 0 } = sourceCodeLocation ?? {};
	const kept = attrs.filter(({ name }) => KEPT_ATTRIBUTES.has(name));
	const children: HtmlNode[] = [];
	const copy: HtmlElement = {
		kind: "element",
		tagName,
		attributes: kept.length === 0 ? NO_ATTRIBUTES : kept,
		parent,
		children,
		start,
		end,
	};
	for (const child of childNodes) if (!isTitleOfDrawing(child)) addNode(copy, child);
	return copy;
}
