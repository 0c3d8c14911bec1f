import type { DataNode } from "./data-node";

/** Lists of single values up to this length are one line. */
const MAX_LINE_CHARACTERS = 300;

/** Lines of a value and all that is in it: `key: value`, and for what is deeper `key.inner: value` or `key[0].inner: value`. */
export function* toFlatLines(node: DataNode, path = ""): Generator<string, void, undefined> {
	if (node.kind === "scalar") yield path === "" ? node.text : `${path}: ${node.text}`;
	else if (node.kind === "record")
		for (const [key, value] of node.entries) yield* toFlatLines(value, joinKeys(path, key));
	else if (isShortList(node)) yield `${path === "" ? "" : `${path}: `}${toInlineText(node)}`;
	else for (const [index, item] of node.items.entries()) yield* toFlatLines(item, `${path}[${index}]`);
}

const joinKeys = (path: string, key: string): string =>
	path === "" || key === "" ? path + key : `${path}.${key}`;

const isShortList = (node: DataNode): boolean => node.size <= MAX_LINE_CHARACTERS && isPlain(node);

/** Tells whether a value has no keys in it. */
const isPlain = (node: DataNode): boolean =>
	node.kind === "scalar" || (node.kind === "list" && node.items.every(isPlain));

/** Value without keys in one line: `a, b`, and lists in a list in brackets. */
function toInlineText(node: DataNode): string {
	if (node.kind === "scalar") return node.text.replace(/\s+/gu, " ");
	if (node.kind === "record") return [...toFlatLines(node)].join(", ");
	return node.items
		.map((item) => (item.kind === "list" ? `[${toInlineText(item)}]` : toInlineText(item)))
		.join(", ");
}

/** Value in one line, for a cell of a table. */
export const toCellText = (node: DataNode): string => toInlineText(node);
