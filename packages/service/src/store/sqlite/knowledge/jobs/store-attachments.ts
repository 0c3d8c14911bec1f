import { toTitle } from "@stemma/documents";
import { createId } from "../../../../create-id";
import type { NewDocument } from "../../../../knowledge/repositories/document-repository";
import type { ReadAttachment } from "../../../../knowledge/repositories/passage-repository";
import type { JobFile } from "../../../job-file";
import { type DocumentContext, findDocumentRoom, insertDocument } from "./document-rows";
import { removeDocument } from "./sweep-job";

/** Mail that was read, with the attachments that it has now. */
export interface StoredMail {
	/** Number of its document. */
	readonly number: number;
	readonly title: string;
	readonly attachments: readonly ReadAttachment[];
}

/** Attachment that a mail has as a document. */
export interface ChildRow extends Pick<NewDocument, "sha256" | "format" | "givenTitle"> {
	readonly number: number;
}

/** Checks whether the attachments that a document has now fit in, in place of those that it had. */
export function hasRoomForAttachments(
	file: JobFile,
	parent: number,
	attachments: readonly ReadAttachment[] = [],
	maxDocuments = Number.POSITIVE_INFINITY,
): boolean {
	const more = attachments.length - listChildren(file, parent).length;
	return more <= 0 || findDocumentRoom(file, maxDocuments, more) === more;
}

/**
 * Queues the attachments of a document as documents of their own. Those that it had before stay as they are, and those
 * that are gone are removed.
 */
export function storeAttachments(file: JobFile, mail: StoredMail, context: DocumentContext): void {
	const { added, removed } = planAttachments(mail, listChildren(file, mail.number));
	for (const number of removed) removeDocument(file, number);
	if (added.length === 0) return;
	const metadata = findMetadata(file, mail.number);
	for (const document of added)
		insertDocument(file, context, { ...document, metadata }, { parent: mail.number });
}

/** Finds out which attachments of a mail are new, and the numbers of those documents that are none any more. */
export function planAttachments(
	{ title, attachments }: StoredMail,
	known: readonly ChildRow[],
): { readonly added: readonly NewDocument[]; readonly removed: readonly number[] } {
	const children = [...known];
	const documents = attachments.map((attachment) => toDocument(attachment, title));
	const added = documents.filter((document) => takeSame(children, document) === undefined);
	return { added, removed: children.map(({ number }) => number) };
}

const listChildren = (file: JobFile, parent: number): ChildRow[] => [
	...file
		.prepare<ChildRow>(
			"SELECT number, content_sha256 AS sha256, format, given_title AS givenTitle" +
				" FROM documents WHERE parent = ?",
		)
		.all(parent),
];

/** Takes a child out of the list that is the same document. The title has the name of the file, unless it is a mail. */
function takeSame(children: ChildRow[], document: NewDocument): ChildRow | undefined {
	const index = children.findIndex(
		({ sha256, format, givenTitle }) =>
			sha256 === document.sha256 && format === document.format && givenTitle === document.givenTitle,
	);
	return index === -1 ? undefined : children.splice(index, 1)[0];
}

/** Formats whose documents are better known by their subject than by the name of a file. */
const MAIL_FORMATS: readonly string[] = ["eml", "msg"];

function toDocument({ name, format, bytes, sha256 }: ReadAttachment, mailTitle: string): NewDocument {
	const title = toTitle(`${name} (attached to: ${mailTitle})`);
	return {
		id: createId("doc"),
		givenTitle: MAIL_FORMATS.includes(format) ? null : title,
		...{ title, format, sha256 },
		source: null,
		fileName: name,
		content: bytes,
		metadata: null,
	};
}

const findMetadata = (file: JobFile, number: number): string =>
	String(file.prepare("SELECT metadata FROM documents WHERE number = ?").get(number)?.metadata);
