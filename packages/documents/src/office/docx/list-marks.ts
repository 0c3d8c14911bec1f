import type { XmlNode } from "../../xml/xml-element";
import { findChild, listChildren, parseXml } from "../../xml/xml-tree";
import { toNumberText } from "../number-text";
import type { ListReference } from "./paragraph-styles";

/** Counts the items of all lists. @returns the mark of the next item: `1.`, `(b)`, `-`; empty where it has none. */
export type ListMarks = (item: ListReference) => string;

interface ListLevel {
	readonly format: string;
	/** Text with `%1` for the number of the first level. */
	readonly text: string;
	readonly start: number;
}

/** Maximum length of a mark, which each item of a list repeats. */
const MAX_MARK_CHARACTERS = 40;
const BULLET: ListLevel = { format: "bullet", text: "", start: 1 };

/** Reads `numbering.xml`. */
export function readListMarks(bytes: Uint8Array | undefined): ListMarks {
	const root = bytes === undefined ? undefined : parseXml(bytes);
	const abstracts = new Map(
		listChildren(root, "w:abstractNum").map((node) => [node.attributes["w:abstractNumId"], node]),
	);
	const lists = new Map(listChildren(root, "w:num").map((node) => [node.attributes["w:numId"], node]));
	const levels = new Map<string, readonly (ListLevel | undefined)[]>();
	const counters = new Map<string, (number | undefined)[]>();

	return ({ list, level }) => {
		const node = lists.get(list);
		const abstractId = findChild(node, "w:abstractNumId")?.attributes["w:val"] ?? `of ${list}`;
		const ownLevels = levels.get(list) ?? toLevels(abstracts.get(abstractId), node);
		levels.set(list, ownLevels);
		const own = ownLevels[level] ?? BULLET;
		// Lists of one definition count on, unless one of them says where it begins.
		const key = listChildren(node, "w:lvlOverride").length > 0 ? `list ${list}` : abstractId;
		const counter = counters.get(key) ?? [];
		counters.set(key, counter);
		counter[level] = (counter[level] ?? own.start - 1) + 1;
		counter.length = level + 1;
		if (own.format === "bullet") return "-";
		return own.text.replace(/%([1-9])/gu, (_, digit: string) => {
			const { format, start } = ownLevels[Number(digit) - 1] ?? own;
			return toNumberText(counter[Number(digit) - 1] ?? start, format);
		});
	};
}

function toLevels(abstract: XmlNode | undefined, list: XmlNode | undefined): (ListLevel | undefined)[] {
	const levels: (ListLevel | undefined)[] = [];
	for (const node of listChildren(abstract, "w:lvl")) levels[toIndex(node)] = toListLevel(node);
	for (const change of listChildren(list, "w:lvlOverride")) {
		const index = toIndex(change);
		const level = findChild(change, "w:lvl");
		const base = level === undefined ? (levels[index] ?? BULLET) : toListLevel(level);
		const start = findChild(change, "w:startOverride")?.attributes["w:val"];
		levels[index] = start === undefined ? base : { ...base, start: Number(start) || 0 };
	}
	return levels;
}

const toIndex = ({ attributes }: XmlNode): number => {
	const index = Number(attributes["w:ilvl"]);
	return Number.isInteger(index) && index >= 0 && index < 9 ? index : 0;
};

function toListLevel(node: XmlNode): ListLevel {
	const readValue = (name: string) => findChild(node, name)?.attributes["w:val"];
	return {
		format: readValue("w:numFmt") ?? "decimal",
		text: (readValue("w:lvlText") ?? "").slice(0, MAX_MARK_CHARACTERS),
		start: Number(readValue("w:start") ?? 1) || 0,
	};
}
