import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode, listDescendants } from "../../xml/xml-tree";

/** Numbers or bullets of one level of lists. */
export interface OdfListLevel {
	/** Format of the numbers; none for bullets. */
	readonly format: string | undefined;
	readonly prefix: string;
	readonly suffix: string;
	readonly start: number;
	/** Number of levels that a number shows: 2 for `1.1`. */
	readonly shownLevels: number;
}

/** Styles of an OpenDocument file: those of `styles.xml`, and those that its content adds. */
export interface OdfStyles {
	/** @param node - any element with styles in it. */
	add(node: XmlNode): void;
	/** Level of a paragraph that is a heading by its style: 0 is the title of the document. */
	findHeadingLevel(style: string | undefined): number | undefined;
	isHidden(style: string | undefined): boolean;
	findListLevel(list: string | undefined, level: number): OdfListLevel;
}

/** Styles that are based on one another form chains; a damaged file may close one to a ring. */
const MAX_CHAIN = 20;
/** Maximum length of what stands around a number, which each item of a list repeats. */
const MAX_MARK_CHARACTERS = 40;
const BULLET: OdfListLevel = { format: undefined, prefix: "", suffix: "", start: 1, shownLevels: 1 };

export function createOdfStyles(): OdfStyles {
	const styles = new Map<string, XmlNode>();
	const lists = new Map<string, readonly (OdfListLevel | undefined)[]>();

	function listChain(style: string | undefined): XmlNode[] {
		const chain: XmlNode[] = [];
		for (let node = styles.get(style ?? ""); node !== undefined && chain.length < MAX_CHAIN; ) {
			chain.push(node);
			node = styles.get(node.attributes["style:parent-style-name"] ?? "");
		}
		return chain;
	}

	return {
		add(node) {
			for (const style of listDescendants(node, "style:style"))
				styles.set(style.attributes["style:name"] ?? "", style);
			for (const list of listDescendants(node, "text:list-style"))
				lists.set(list.attributes["style:name"] ?? "", toListLevels(list));
		},
		findHeadingLevel(style) {
			const chain = listChain(style);
			if (chain.some(({ attributes }) => attributes["style:name"] === "Title")) return 0;
			const outline = chain.map(({ attributes }) => attributes["style:default-outline-level"]).find(Boolean);
			return outline === undefined ? undefined : toOdfLevel(outline);
		},
		isHidden: (style) =>
			listChain(style).some(
				(node) => findChild(node, "style:text-properties")?.attributes["text:display"] === "none",
			),
		findListLevel: (list, level) => lists.get(list ?? "")?.[level] ?? BULLET,
	};
}

/** Level of a heading: 1 to 10. */
export const toOdfLevel = (value = "1"): number => Math.min(Math.max(Number.parseInt(value, 10) || 1, 1), 10);

function toListLevels(list: XmlNode): (OdfListLevel | undefined)[] {
	const levels: (OdfListLevel | undefined)[] = [];
	for (const { name, attributes } of list.children.filter(isXmlNode)) {
		const level = toOdfLevel(attributes["text:level"]) - 1;
		const isNumbered = name === "text:list-level-style-number";
		levels[level] = {
			format: isNumbered ? (attributes["style:num-format"] ?? "") : undefined,
			prefix: (attributes["style:num-prefix"] ?? "").slice(0, MAX_MARK_CHARACTERS),
			suffix: (attributes["style:num-suffix"] ?? "").slice(0, MAX_MARK_CHARACTERS),
			start: Number(attributes["text:start-value"] ?? 1) || 1,
			shownLevels: Number(attributes["text:display-levels"] ?? 1) || 1,
		};
	}
	return levels;
}
