import { listRelationships } from "../../office/ooxml/relationships";
import type { XmlNode } from "../../xml/xml-element";
import { isXmlNode, listDescendants, parseXml, textOf } from "../../xml/xml-tree";
import type { ZipContainer } from "../../zip/open-zip";
import type { SheetComment } from "../write-sheet";
import { parseCellName } from "./cell-name";

/**
 * Comments of a sheet: those of conversations, and the older notes. For each conversation there is a note, too, for programs
 * that do not know conversations; it is left out.
 */
export async function listComments(zip: ZipContainer, sheet: string): Promise<SheetComment[]> {
	const links = await listRelationships(zip, sheet);
	const read = async (type: string, element: string) => {
		const link = links.find((one) => one.type === type);
		const bytes = link && (await zip.find(link.target));
		return bytes === undefined ? [] : listDescendants(parseXml(bytes), element).flatMap(toComment);
	};
	const threads = await read("threadedComment", "threadedComment");
	const notes = await read("comments", "x:comment");
	const isThread = ({ row, column }: SheetComment) =>
		threads.some((thread) => thread.row === row && thread.column === column);
	return [...threads, ...notes.filter((note) => !isThread(note))];
}

function toComment(node: XmlNode): SheetComment[] {
	const position = parseCellName(node.attributes.ref ?? "");
	const text = node.children.filter(isXmlNode).find(({ name }) => name === "text" || name === "x:text");
	return position === undefined ? [] : [{ ...position, text: textOf(text) }];
}
