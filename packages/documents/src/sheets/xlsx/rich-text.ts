import type { XmlNode } from "../../xml/xml-element";
import { isXmlNode, textOf } from "../../xml/xml-tree";

/** Text of a cell or a shared string, without the readings (phonetic runs) beside it. */
export const toPlainText = (node: XmlNode | undefined): string =>
	(node?.children ?? [])
		.filter(isXmlNode)
		.map((child) => {
			if (child.name === "x:t") return textOf(child);
			return child.name === "x:r" ? toPlainText(child) : "";
		})
		.join("");
