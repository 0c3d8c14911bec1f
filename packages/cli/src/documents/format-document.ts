import type { KnowledgeDocument } from "@stemma/client";
import { formatBytes } from "@stemma/core/internal";
import { formatNotedTable, formatTable } from "../terminal/text/table";

const HEADER = ["STATUS", "FORMAT", "PASSAGES", "SIZE", "ID", "DOCUMENT"];

/** Name of a document for people: its source, else its title. */
export const toDocumentName = ({ source, title }: Pick<KnowledgeDocument, "source" | "title">): string =>
	source ?? title;

/** A row for each document, attachments below their mail, and below a failed one its error. */
export function formatDocuments(all: readonly KnowledgeDocument[]): string {
	const rows = orderByParent(all);
	const documents = rows.map(({ document }) => document);
	return formatNotedTable([HEADER, ...rows.map(toCells)], documents.map(describeProblem));
}

interface DocumentRow {
	readonly document: KnowledgeDocument;
	/** Number of listed mails that it is within. */
	readonly depth: number;
}

/** Attachments whose mail is not listed stay where they are. */
function orderByParent(all: readonly KnowledgeDocument[]): DocumentRow[] {
	const ids = new Set(all.map(({ id }) => id));
	const children = new Map<string, KnowledgeDocument[]>();
	const roots: KnowledgeDocument[] = [];
	for (const document of all) {
		const { parent_id: parent } = document;
		if (parent === undefined || !ids.has(parent)) roots.push(document);
		else children.set(parent, [...(children.get(parent) ?? []), document]);
	}
	const toRows = (document: KnowledgeDocument, depth: number): DocumentRow[] => [
		{ document, depth },
		...(children.get(document.id) ?? []).flatMap((child) => toRows(child, depth + 1)),
	];
	return roots.flatMap((document) => toRows(document, 0));
}

const toCells = ({ document, depth }: DocumentRow): string[] => [
	document.status,
	document.format,
	document.passage_count.toLocaleString("en-US"),
	formatBytes(document.size_bytes),
	document.id,
	"└ ".repeat(depth) + toDocumentName(document),
];

/** `needs_ocr: The file has no text.`, or nothing. */
const describeError = ({ error }: KnowledgeDocument): string =>
	error === null ? "" : `${error.code}: ${error.message}`;

/** Error of a document that failed, pages of one that were not read, or nothing. */
const describeProblem = (document: KnowledgeDocument): string => {
	const { unread_pages: unread = [] } = document;
	return unread.length === 0 ? describeError(document) : `pages not read: ${describeUnread(unread)}`;
};

/** `3, 7 (they show something, and have no text)` */
const describeUnread = (pages: readonly number[]): string => `${pages.join(", ")} (only drawn, as in a scan)`;

/** All that is known of a document, a row a field. */
export function formatDocument(document: KnowledgeDocument): string {
	const { source, error, metadata, parent_id: parent, unread_pages: unread = [] } = document;
	const size = document.size_bytes;
	return formatTable([
		["title", document.title],
		...(source === null ? [] : [["source", source]]),
		["id", document.id],
		...(parent === undefined ? [] : [["attached to", parent]]),
		["knowledge base", document.knowledge_base_id],
		["status", document.status],
		...(error === null ? [] : [["error", describeError(document)]]),
		...(error?.hint === undefined ? [] : [["what to do", error.hint]]),
		["format", document.format],
		[
			"size",
			size < 1024 ? formatBytes(size) : `${formatBytes(size)} (${size.toLocaleString("en-US")} bytes)`,
		],
		["passages", document.passage_count.toLocaleString("en-US")],
		...(unread.length === 0 ? [] : [["pages not read", describeUnread(unread)]]),
		["SHA-256", document.content_sha256],
		...(Object.keys(metadata).length === 0 ? [] : [["metadata", JSON.stringify(metadata)]]),
		["created", document.created_at],
		["updated", document.updated_at],
	]);
}
