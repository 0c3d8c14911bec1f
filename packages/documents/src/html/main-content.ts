import type { HtmlElement, HtmlNode, HtmlParent } from "./html-tree";

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

export const isElement = (node: HtmlNode): node is HtmlElement => node.kind === "element";

export function getAttribute({ attributes }: HtmlElement, name: string): string | undefined {
	if (attributes.length === 0) return undefined;
	return attributes.find((attribute) => attribute.name === name)?.value;
}

export const isNonText = (element: HtmlElement): boolean => NON_TEXT_TAGS.has(element.tagName);

/**
 * Checks whether an element is part of the page's surroundings: navigation, banner, footer, side notes, forms, hidden
 * elements. A `header` in the main content belongs to the content.
 */
export function isBoilerplate(element: HtmlElement, inMain: boolean): boolean {
	const { tagName, attributes } = element;
	if (BOILERPLATE_TAGS.has(tagName) || (tagName === "header" && !inMain)) return true;
	return attributes.length > 0 && isMarkedAsBoilerplate(element);
}

function isMarkedAsBoilerplate(element: HtmlElement): boolean {
	const role = getAttribute(element, "role")?.toLowerCase();
	if (role !== undefined && BOILERPLATE_ROLES.has(role)) return true;
	return getAttribute(element, "hidden") !== undefined || getAttribute(element, "aria-hidden") === "true";
}

/**
 * The element that holds the page's main content, where it is marked as such.
 *
 * @param elements - of the page, in document order.
 */
export function findMain(elements: readonly HtmlElement[]): HtmlElement | undefined {
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
	const add = ({ children }: HtmlParent): void => {
		for (const child of children) {
			if (!isElement(child)) continue;
			found.push(child);
			add(child);
		}
	};
	add(root);
	return found;
}

/** Checks whether an element below a node is as it is asked for. */
export const hasDescendant = (root: HtmlParent, isWanted: (element: HtmlElement) => boolean): boolean =>
	root.children.some((child) => isElement(child) && (isWanted(child) || hasDescendant(child, isWanted)));
