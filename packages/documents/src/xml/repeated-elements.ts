import type { NamespaceScope } from "./namespace-scope";
import type { XmlElement, XmlNode } from "./xml-element";
import { XmlTokenizer } from "./xml-tokenizer";

/** Element that a file can have many times, word for word. */
export interface RepeatedElement {
	readonly node: XmlNode;
	/** Number of elements in it, itself included, and of their levels. */
	readonly elements: number;
	readonly levels: number;
}

/** Elements of a file, each parsed once. */
export interface RepeatedElements {
	/** Element of a text that begins with a start tag and ends with an end tag; undefined where it is not all of one element. */
	find(text: string): RepeatedElement | undefined;
}

/** Maximum number of elements that are kept. */
const MAX_KNOWN_ELEMENTS = 4_096;

/** @param namespaces - of the place in the file at which an element is looked for. */
export function createRepeatedElements(namespaces: NamespaceScope): RepeatedElements {
	const known = new Map<string, RepeatedElement | undefined>();
	let scope = namespaces.current;
	return {
		find(text) {
			// What its prefixes mean depends on what is around it.
			if (scope !== namespaces.current || known.size >= MAX_KNOWN_ELEMENTS) known.clear();
			scope = namespaces.current;
			const found = known.get(text);
			if (found !== undefined || known.has(text)) return found;
			const parsed = parseElement(text, namespaces);
			known.set(text, parsed);
			return parsed;
		},
	};
}

interface OpenNode extends XmlElement {
	readonly children: (XmlNode | string)[];
}

function parseElement(text: string, namespaces: NamespaceScope): RepeatedElement | undefined {
	const root: OpenNode = { name: "", attributes: {}, children: [] };
	const stack = [root];
	let elements = 0;
	let levels = 0;
	const tokenizer = new XmlTokenizer({
		open(tag) {
			const node = { ...namespaces.open(tag), children: [] };
			stack.at(-1)?.children.push(node);
			stack.push(node);
			elements += 1;
			levels = Math.max(levels, stack.length - 1);
		},
		close() {
			namespaces.close();
			stack.pop();
		},
		text: (content) => stack.at(-1)?.children.push(content),
	});
	try {
		tokenizer.write(text);
		tokenizer.close();
	} catch {
		// The end tag is that of an element of the same name within it, or it is damaged: it is read as others are.
		for (let level = 1; level < stack.length; level++) namespaces.close();
		return undefined;
	}
	const [node] = root.children;
	return node === undefined || typeof node === "string" ? undefined : { node, elements, levels };
}
