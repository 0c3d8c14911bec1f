import type { XmlNode } from "../../xml/xml-element";
import { findChild, listChildren, parseXml } from "../../xml/xml-tree";

/** Number of a paragraph in a list: which list, and how deep in it. */
export interface ListReference {
	readonly list: string;
	readonly level: number;
}

/** Part that the style of a paragraph gives it in the document. */
export interface ParagraphStyle {
	/** 0 is the title of the document, 1 the highest heading; none for other text. */
	readonly headingLevel?: number | undefined;
	readonly list?: ListReference | undefined;
	/** Entry of a table of contents. */
	readonly isContents: boolean;
}

/** Finds the style by its id. */
export type ParagraphStyles = (id: string | undefined) => ParagraphStyle;

/** Styles that are based on one another form chains; a damaged file may close one to a ring. */
const MAX_CHAIN = 20;
const NONE: ParagraphStyle = { isContents: false };

/** Reads `styles.xml`. The built-in styles have English names in it in every language; their ids are translated. */
export function readParagraphStyles(bytes: Uint8Array | undefined): ParagraphStyles {
	const nodes = bytes === undefined ? [] : listChildren(parseXml(bytes), "w:style");
	const byId = new Map(nodes.map((node) => [node.attributes["w:styleId"], node]));
	const known = new Map<string, ParagraphStyle>();
	const standard = nodes.find(
		({ attributes }) => attributes["w:type"] === "paragraph" && attributes["w:default"] === "1",
	);

	return (id = standard?.attributes["w:styleId"]) => {
		if (id === undefined) return NONE;
		const style = known.get(id) ?? toStyle(listChain(byId, id), id);
		known.set(id, style);
		return style;
	};
}

function listChain(byId: ReadonlyMap<string | undefined, XmlNode>, id: string): XmlNode[] {
	const chain: XmlNode[] = [];
	for (let node = byId.get(id); node !== undefined && chain.length < MAX_CHAIN; ) {
		chain.push(node);
		node = byId.get(findChild(node, "w:basedOn")?.attributes["w:val"]);
	}
	return chain;
}

/** @param chain - the style, and those that it is based on. */
function toStyle(chain: readonly XmlNode[], id: string): ParagraphStyle {
	// A file without `styles.xml` has ids alone, in English.
	const names =
		chain.length > 0 ? chain.map((node) => findChild(node, "w:name")?.attributes["w:val"] ?? "") : [id];
	const properties = chain.flatMap((node) => findChild(node, "w:pPr") ?? []);
	const [name = ""] = names;
	const isContents = /^(toc ?(\d|heading)|table of figures|index \d)/iu.test(name);
	const level = names.map(toHeadingLevel).find((found) => found !== undefined);
	const outline = properties.map(toOutlineLevel).find((found) => found !== undefined);
	const list = properties.map(toListReference).find((found) => found !== undefined);
	return { isContents, list, headingLevel: isContents ? undefined : (level ?? toHeading(outline)) };
}

function toHeadingLevel(name: string): number | undefined {
	if (/^title$/iu.test(name)) return 0;
	const level = /^heading ?([1-9])$/iu.exec(name)?.[1];
	return level === undefined ? undefined : Number(level);
}

/** The outline level in the properties of a paragraph or style: 0 is the highest, 9 is that of text. */
export function toOutlineLevel(properties: XmlNode | undefined): number | undefined {
	const value = findChild(properties, "w:outlineLvl")?.attributes["w:val"];
	return value !== undefined && /^[0-9]$/u.test(value) ? Number(value) : undefined;
}

export const toHeading = (outline: number | undefined): number | undefined =>
	outline === undefined || outline > 8 ? undefined : outline + 1;

/** The list in the properties of a paragraph or style. List `0` is none. */
export function toListReference(properties: XmlNode | undefined): ListReference | undefined {
	const node = findChild(properties, "w:numPr");
	const list = findChild(node, "w:numId")?.attributes["w:val"];
	if (list === undefined) return undefined;
	return { list, level: toLevel(findChild(node, "w:ilvl")?.attributes["w:val"]) };
}

const toLevel = (value = "0"): number => (/^[0-8]$/u.test(value) ? Number(value) : 0);
