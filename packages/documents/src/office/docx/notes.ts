import { listChildren, listDescendants, parseXml } from "../../xml/xml-tree";
import { type NoteReference, readParagraphText } from "./paragraph-text";

/** Text of each footnote and endnote, by its id. */
export type Notes = Readonly<Record<NoteReference["kind"], Map<string, string>>>;

/** The text of a note where it is referred to first; empty from then on. */
export function takeNote(notes: Notes, { kind, id }: NoteReference): string {
	const text = notes[kind].get(id) ?? "";
	notes[kind].delete(id);
	return text;
}

/** Reads `footnotes.xml` or `endnotes.xml`; the lines above the notes are in it, too, and are left out. */
export function readNotes(bytes: Uint8Array | undefined, name: string): Map<string, string> {
	const nodes = bytes === undefined ? [] : listChildren(parseXml(bytes), name);
	return new Map(
		nodes
			.filter(({ attributes }) => (attributes["w:type"] ?? "normal") === "normal")
			.map((node) => {
				const texts = listDescendants(node, "w:p").map((paragraph) =>
					readParagraphText(paragraph).text.trim(),
				);
				return [node.attributes["w:id"] ?? "", texts.filter(Boolean).join("\n")] as const;
			}),
	);
}
