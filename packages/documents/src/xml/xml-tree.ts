import { UnreadableError } from "../unreadable-error";
import { readXml } from "./read-xml";
import type { XmlElement, XmlNode } from "./xml-element";

/** Maximum number of elements that are in memory at a time. */
export const MAX_XML_TREE_ELEMENTS = 1_000_000;

/** Local names of the elements with which Office files say how texts, cells and shapes look. */
const REPEATED = new Set(["rPr", "pPr", "tcPr", "spPr"]);

interface OpenNode extends XmlElement {
	readonly children: (XmlNode | string)[];
}

/**
 * Reads the whole of a small XML file.
 *
 * @throws UnreadableError as {@link readXml} does, and beyond {@link MAX_XML_TREE_ELEMENTS}.
 */
export function parseXml(bytes: Uint8Array): XmlNode {
	let root: XmlNode | undefined;
	readXmlParts(bytes, {
		isPart: () => true,
		onPart: (node) => {
			root = node;
		},
	});
	if (root === undefined) throw new UnreadableError("its XML is empty");
	return root;
}

/** Callbacks for the parts of a large XML file, one after the other. */
export interface XmlPartHandler {
	/** Checks whether an element is a part that is wanted whole. Asked for each element that is in none. */
	isPart(element: XmlElement): boolean;
	onPart(node: XmlNode): void;
	/** An element around parts begins. */
	open?(element: XmlElement): void;
	/** An element around parts ends. */
	close?(name: string): void;
}

/** Reads a large XML file part by part, so that no more than one part is in memory. @throws UnreadableError */
export function readXmlParts(bytes: Uint8Array, { isPart, onPart, open, close }: XmlPartHandler): void {
	const stack: OpenNode[] = [];
	let elements = 0;
	readXml(bytes, {
		open(element) {
			if (stack.length === 0 && !isPart(element)) return open?.(element);
			elements = stack.length === 0 ? 1 : elements + 1;
			if (elements > MAX_XML_TREE_ELEMENTS)
				throw new UnreadableError("one part of it has too many elements", { code: "too_complex" });
			const node = { name: element.name, attributes: element.attributes, children: [] };
			stack.at(-1)?.children.push(node);
			stack.push(node);
		},
		close(name) {
			const node = stack.pop();
			if (node === undefined) close?.(name);
			else if (stack.length === 0) onPart(node);
		},
		text: (text) => stack.at(-1)?.children.push(text),
		isRepeated: (localName) => stack.length > 0 && REPEATED.has(localName),
		repeated: (node) => stack.at(-1)?.children.push(node),
	});
}

export const isXmlNode = (child: XmlNode | string): child is XmlNode => typeof child !== "string";

/** The first child of that name. */
export function findChild(node: XmlNode | undefined, name: string): XmlNode | undefined {
	if (node === undefined) return undefined;
	for (const child of node.children) if (isXmlNode(child) && child.name === name) return child;
	return undefined;
}

/** All children of that name. */
export const listChildren = (node: XmlNode | undefined, name: string): XmlNode[] =>
	(node?.children ?? []).filter(isXmlNode).filter((child) => child.name === name);

/** All elements of that name in a node, at any depth, in document order. */
export function listDescendants(node: XmlNode, name: string): XmlNode[] {
	const children = node.children.filter(isXmlNode);
	return children.flatMap((child) => [
		...(child.name === name ? [child] : []),
		...listDescendants(child, name),
	]);
}

/** All text in a node. */
export const textOf = (node: XmlNode | undefined): string =>
	(node?.children ?? []).map((child) => (isXmlNode(child) ? textOf(child) : child)).join("");
