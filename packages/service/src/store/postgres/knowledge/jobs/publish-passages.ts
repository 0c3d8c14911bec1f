import { sql } from "kysely";
import type { PassagesPart } from "../../../../knowledge/repositories/passage-repository";
import type { UploadedDocument } from "../../../sqlite/knowledge/jobs/store-passages-job";
import { toVersionsJson } from "../../../sqlite/knowledge/outdated-documents";
import { type ColumnTypes, insertRows, toRowArrays } from "../../connection/row-arrays";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { insertTexts } from "../content-chunks";
import { insertSweeps } from "./insert-sweep";
import { addPassageCount } from "./remove-document";
import { storeAttachments } from "./store-attachments";

/** Document as it is when its upload was read. */
export interface ReadDocument extends UploadedDocument {
	readonly text_content: number | null;
}

/** Returns the title that a document has with a part of it: that which it was given, or its own. */
export const toTitle = (document: ReadDocument, part: PassagesPart): string => document.title || part.title;

/** Last part of a document, whose passages are all stored. */
export interface StoredDocumentPart {
	readonly document: ReadDocument;
	readonly part: PassagesPart;
	readonly title: string;
}

const DOCUMENT_TYPES = {
	...{ number: "bigint", title: "text", first_passage: "bigint", passage_count: "bigint" },
	...{ unread_pages: "text", text_content: "bigint" },
} satisfies ColumnTypes<string>;

/** Lets documents show the passages that were stored from now on, and the old ones no more. */
export async function publishPassages(
	transaction: WorkspaceTransaction,
	parts: readonly StoredDocumentPart[],
	now: number,
): Promise<void> {
	if (parts.length === 0) return;
	const textsInFiles = parts.flatMap(({ part }) => part.text ?? []);
	const texts = [...(await insertTexts(transaction, textsInFiles))];
	const published = parts.map((one) => ({
		...one,
		text: one.part.text === undefined ? one.document.original_content : (texts.shift() ?? null),
	}));
	// Statements that are sent together.
	await Promise.all([
		updateDocuments(transaction, published, now),
		sweepTexts(transaction, published),
		endUploads(transaction, parts),
		sweepFormer(transaction, parts),
		addPassageCounts(transaction, parts),
	]);
	await updateAttachments(transaction, parts, now);
}

/** Has the passages swept away that documents had before. */
const sweepFormer = (
	transaction: WorkspaceTransaction,
	parts: readonly StoredDocumentPart[],
): Promise<void> =>
	insertSweeps(
		transaction,
		parts.map(
			({ document: { knowledge_base: knowledgeBase, first_passage: first, passage_count: count } }) => ({
				...{ knowledgeBase, first, count },
			}),
		),
	);

async function addPassageCounts(
	transaction: WorkspaceTransaction,
	parts: readonly StoredDocumentPart[],
): Promise<void> {
	for (const [base, group] of Map.groupBy(parts, ({ document }) => document.knowledge_base)) {
		const counts = group.map(({ document, part }) => part.range.count - document.passage_count);
		const added = counts.reduce((sum, count) => sum + count, 0);
		await addPassageCount(transaction, base, added);
	}
}

interface PublishedPart extends StoredDocumentPart {
	/** Number of the content with its text. */
	readonly text: number | null;
}

async function updateDocuments(
	transaction: WorkspaceTransaction,
	published: readonly PublishedPart[],
	now: number,
): Promise<void> {
	const rows = published.map(({ document, part: { range, unreadPages }, title, text }) => ({
		...{ number: document.number, title, text_content: text },
		...{ first_passage: range.first, passage_count: range.count },
		unread_pages: unreadPages === undefined ? null : JSON.stringify(unreadPages),
	}));
	await sql`
		update documents set status = 'ready', error = null, updated_at = ${now}, title = rows.title,
			first_passage = rows.first_passage, passage_count = rows.passage_count,
			unread_pages = rows.unread_pages, text_content = rows.text_content,
			reader_version = greatest(reader_version, coalesce((${toVersionsJson()}::jsonb ->> format)::integer, 1))
		from ${toRowArrays(DOCUMENT_TYPES, rows)}
		where ${ownRows("documents")} and documents.number = rows.number`.execute(transaction);
}

/** Has texts swept away that were replaced. */
async function sweepTexts(
	transaction: WorkspaceTransaction,
	published: readonly PublishedPart[],
): Promise<void> {
	const gone = published.flatMap(
		({ document: { text_content: former, original_content: original }, text }) =>
			former === null || former === original || former === text ? [] : [{ content: former }],
	);
	await insertRows(transaction, "content_sweeps", { content: "bigint" }, gone);
}

async function endUploads(
	transaction: WorkspaceTransaction,
	parts: readonly StoredDocumentPart[],
): Promise<void> {
	const uploads = parts.map(({ part }) => part.upload);
	const firsts = parts.map(({ part }) => part.range.first);
	await Promise.all([
		transaction.deleteFrom("uploads").where("number", "=", sql<number>`any(${uploads}::bigint[])`).execute(),
		transaction
			.deleteFrom("passage_sweeps")
			.where("first", "=", sql<number>`any(${firsts}::bigint[])`)
			.execute(),
	]);
}

/** Stores the attachments of documents that have some now, or had some before. */
async function updateAttachments(
	transaction: WorkspaceTransaction,
	parts: readonly StoredDocumentPart[],
	now: number,
): Promise<void> {
	const numbers = parts.map(({ document }) => document.number);
	const parents = await transaction
		.selectFrom("documents")
		.select("parent")
		.distinct()
		.where("parent", "=", sql<number>`any(${numbers}::bigint[])`)
		.execute();
	const known = new Set(parents.map(({ parent }) => parent));
	for (const { document, part, title } of parts) {
		const { attachments = [], vectors } = part;
		if (attachments.length === 0 && !known.has(document.number)) continue;
		await storeAttachments(
			transaction,
			{ number: document.number, title, attachments },
			{ knowledgeBase: document.knowledge_base, hasVectors: vectors !== undefined, now },
		);
	}
}
