import type { DefaultTreeAdapterTypes } from "parse5";

/** Node of an HTML document, in which the main content is looked for. */
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Elements that never hold text to read. */
const NON_TEXT_TAGS = new Set(
	(
		"head script style template noscript svg iframe object embed canvas audio video map " +
		"select button textarea datalist"
	).split(" "),
);
/** Elements around the content of a page. */
const BOILERPLATE_TAGS = new Set("nav footer aside form dialog".split(" "));
const BOILERPLATE_ROLES = new Set(
	"navigation banner contentinfo complementary search dialog form".split(" "),
);

export const isElement = (node: HtmlNode): node is HtmlElement => "tagName" in node;

export const getAttribute = (element: HtmlElement, name: string): string | undefined =>
	element.attrs.find((attribute) => attribute.name === name)?.value;

export const isNonText = (element: HtmlElement): boolean => NON_TEXT_TAGS.has(element.tagName);

/**
 * Checks whether an element is part of the page's surroundings: navigation, banner, footer, side notes, forms, hidden
 * elements. A `header` in the main content belongs to the content.
 */
export function isBoilerplate(element: HtmlElement, inMain: boolean): boolean {
	const role = getAttribute(element, "role")?.toLowerCase();
	if (BOILERPLATE_TAGS.has(element.tagName) || (role !== undefined && BOILERPLATE_ROLES.has(role)))
		return true;
	if (getAttribute(element, "hidden") !== undefined || getAttribute(element, "aria-hidden") === "true")
		return true;
	return element.tagName === "header" && !inMain;
}

/** The element that holds the page's main content, where it is marked as such. */
export function findMain(root: HtmlParent): HtmlElement | undefined {
	const elements = descendants(root);
	const main = elements.find(
		(element) => element.tagName === "main" || getAttribute(element, "role") === "main",
	);
	if (main !== undefined) return main;
	const articles = elements.filter(({ tagName }) => tagName === "article");
	return articles.length === 1 ? articles[0] : undefined;
}

/** All elements below a node, in document order. */
export function descendants(root: HtmlParent): HtmlElement[] {
	const found: HtmlElement[] = [];
	const open: HtmlNode[] = root.childNodes.slice().reverse();
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		if (!isElement(node)) continue;
		found.push(node);
		for (const child of node.childNodes.slice().reverse()) open.push(child);
	}
	return found;
}
