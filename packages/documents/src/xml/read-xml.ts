import { UnreadableError } from "../unreadable-error";
import { decodeXml } from "./decode-xml";
import { createNamespaceScope } from "./namespace-scope";
import { createRepeatedElements } from "./repeated-elements";
import type { XmlElement, XmlNode } from "./xml-element";
import { XmlTokenizer } from "./xml-tokenizer";

/** Callbacks for the parts of an XML file, in the order of the file. */
export interface XmlHandler {
	open?(element: XmlElement): void;
	close?(name: string): void;
	/** Text, or a piece of it; also of CDATA sections. */
	text?(text: string): void;
	/** Checks by the local name whether an element may be one that the file repeats word for word. Default: none. */
	isRepeated?(localName: string): boolean;
	/** Takes an element that the file repeats, whole. It is the same object each time. */
	repeated?(node: XmlNode): void;
}

export interface XmlLimits {
	/** Default {@link MAX_XML_DEPTH}. */
	readonly maxDepth?: number;
	/** Maximum number of elements. Default {@link MAX_XML_ELEMENTS}. */
	readonly maxElements?: number;
}

export const MAX_XML_DEPTH = 500;
export const MAX_XML_ELEMENTS = 10_000_000;

/**
 * Reads an XML file from its start to its end, in memory that does not grow with it. There are no entities but the five of
 * XML: a file that declares some is refused, and nothing outside of it is ever loaded.
 *
 * @throws UnreadableError where it is not well-formed, is nested too deeply, or declares entities.
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler, limits: XmlLimits = {}): void {
	const reader = createXmlReader(handler, limits);
	for (const chunk of decodeXml(bytes)) reader.write(chunk);
	reader.close();
}

/** Reader of an XML file that comes in pieces. */
export interface XmlReader {
	/** @throws UnreadableError as {@link readXml} does. */
	write(text: string): void;
	/** @throws UnreadableError where the file is incomplete. */
	close(): void;
}

/** Reads an XML file as {@link readXml} does, at the pace of its caller. */
export function createXmlReader(handler: XmlHandler, limits: XmlLimits = {}): XmlReader {
	const { maxDepth = MAX_XML_DEPTH, maxElements = MAX_XML_ELEMENTS } = limits;
	const namespaces = createNamespaceScope();
	const repeatedElements = createRepeatedElements(namespaces);
	let depth = 0;
	let elements = 0;
	function count(added: number, levels: number): void {
		elements += added;
		if (depth + levels > maxDepth) throw tooComplex(`elements more than ${maxDepth} levels deep`);
		if (elements > maxElements) throw tooComplex(`more than ${maxElements.toLocaleString("en")} elements`);
	}

	return new XmlTokenizer({
		open(tag) {
			count(1, 1);
			depth += 1;
			const element = namespaces.open(tag);
			handler.open?.(element);
		},
		close() {
			depth -= 1;
			const name = namespaces.close();
			handler.close?.(name);
		},
		text: (text) => handler.text?.(text),
		isRepeated: ({ name }) => handler.isRepeated?.(name.slice(name.indexOf(":") + 1)) ?? false,
		repeated(text) {
			const found = repeatedElements.find(text);
			if (found === undefined) return false;
			count(found.elements, found.levels);
			handler.repeated?.(found.node);
			return true;
		},
	});
}

const tooComplex = (what: string): UnreadableError =>
	new UnreadableError(`its XML has ${what}`, { code: "too_complex" });
