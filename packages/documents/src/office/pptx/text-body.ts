import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode, listChildren, textOf } from "../../xml/xml-tree";
import type { OfficeBlock } from "../office-block";

/**
 * Paragraphs of a text body of DrawingML.
 *
 * @param usual - what a paragraph is that says nothing of bullets.
 */
export function toTextBlocks(body: XmlNode | undefined, usual: "text" | "list"): OfficeBlock[] {
	const paragraphs = listChildren(body, "a:p").filter((paragraph) => toText(paragraph).trim() !== "");
	const counters: number[] = [];
	return paragraphs.map((paragraph) => {
		const text = toText(paragraph);
		const properties = findChild(paragraph, "a:pPr");
		const level = toLevel(properties?.attributes.lvl);
		const isNumbered = findChild(properties, "a:buAutoNum") !== undefined;
		counters.length = isNumbered ? level + 1 : level;
		if (isNumbered) {
			counters[level] = (counters[level] ?? 0) + 1;
			return { kind: "item", level, mark: `${counters[level]}.`, text };
		}
		const isItem = hasBullet(properties) ?? (usual === "list" && paragraphs.length > 1);
		return isItem ? { kind: "item", level, mark: "-", text } : { kind: "paragraph", text };
	});
}

/** Checks whether a paragraph has a bullet; undefined where it leaves that to its placeholder. */
function hasBullet(properties: XmlNode | undefined): boolean | undefined {
	if (findChild(properties, "a:buNone") !== undefined) return false;
	const isMarked = ["a:buChar", "a:buBlip"].some((name) => findChild(properties, name) !== undefined);
	return isMarked ? true : undefined;
}

const toLevel = (value = "0"): number => (/^[0-8]$/u.test(value) ? Number(value) : 0);

function toText(paragraph: XmlNode): string {
	return paragraph.children
		.filter(isXmlNode)
		.map((node) => {
			if (node.name === "a:br") return "\n";
			if (node.name === "a:r" || node.name === "a:fld") return textOf(findChild(node, "a:t"));
			return node.name === "m:oMath" || node.name === "a14:m" || node.name === "mc:AlternateContent"
				? textOf(node)
				: "";
		})
		.join("");
}
