import { readXmlParts } from "../../xml/xml-tree";
import { toPlainText } from "./rich-text";

/** Texts that cells refer to by their number. */
export function readSharedStrings(bytes: Uint8Array | undefined): string[] {
	const strings: string[] = [];
	if (bytes === undefined) return strings;
	readXmlParts(bytes, {
		isPart: ({ name }) => name === "x:si",
		onPart: (node) => strings.push(toPlainText(node)),
	});
	return strings;
}
