import type { ParsedDocument } from "../document-part";
import type { XmlNode } from "../xml/xml-element";
import { isXmlNode, parseXml, textOf } from "../xml/xml-tree";
import { createDataBuilder, type DataBuilder, type DataNode } from "./data-node";
import { writeData } from "./write-data";

/**
 * Reads XML: elements are keys, those of one name that follow one another are a list, and elements among text are a part of
 * it. Document types with declarations are refused, and nothing outside of the file is loaded.
 */
export const readXmlData = (bytes: Uint8Array): ParsedDocument =>
	writeData(convert(parseXml(bytes), createDataBuilder()));

function convert(element: XmlNode, builder: DataBuilder): DataNode | undefined {
	const attributes = Object.entries(element.attributes).filter(
		([name]) => !/^xmlns(?::|$)|^xsi:/u.test(name),
	);
	const children = element.children.filter(isXmlNode);
	const text = element.children.filter((child) => !isXmlNode(child)).join("");
	const isText = children.length === 0 || text.trim() !== "";
	const content = isText ? builder.scalar(textOf(element).replace(/[^\S\n]+/gu, " ")) : undefined;
	if (attributes.length === 0 && isText) return content;
	return builder.nest(() => {
		const own = attributes.map(([name, value]) => [name, builder.scalar(value ?? "")] as const);
		const groups = isText ? [] : groupByName(children);
		const entries = groups.map(([name, nodes]) => [name, convertGroup(nodes, builder)] as const);
		const [first] = entries;
		if (own.length === 0 && entries.length === 1 && first?.[1]?.kind === "list") return first[1];
		return builder.record([["", content], ...own, ...entries]);
	});
}

function convertGroup(nodes: readonly XmlNode[], builder: DataBuilder): DataNode | undefined {
	const [first, ...others] = nodes;
	if (first !== undefined && others.length === 0) return convert(first, builder);
	return builder.list(nodes.map((node) => convert(node, builder)));
}

/** Elements that follow one another under one name, by that name. */
function groupByName(children: readonly XmlNode[]): [name: string, nodes: XmlNode[]][] {
	const groups: [string, XmlNode[]][] = [];
	for (const child of children) {
		const last = groups.at(-1);
		if (last?.[0] === child.name) last[1].push(child);
		else groups.push([child.name, [child]]);
	}
	return groups;
}
