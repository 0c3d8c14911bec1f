import { sql } from "kysely";
import { removeDocument } from "../knowledge/jobs/remove-document";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";
import type { WorkspaceTransaction } from "../workspace-transaction";

/** Maximum that one transaction sweeps, so that other work need not wait long. */
const DOCUMENTS_PER_SWEEP = 200;
const ITEMS_PER_SWEEP = 1000;

interface DeletedSource {
	readonly number: number;
	/** 0 or 1. */
	readonly keeps_documents: number;
}

/** Sweeps away some of what deleted sources, and sources of deleted knowledge bases, hold. Tells whether there is more. */
export const sweepSources: PostgresJob<object, boolean> = async (transaction) => {
	const source = await findDeleted(transaction);
	if (source === undefined) return false;
	if ((await sweepDocuments(transaction, source)) || (await sweepItems(transaction, source))) return true;
	await transaction.deleteFrom("source_syncs").where("source", "=", source.number).execute();
	await transaction.deleteFrom("sources").where("number", "=", source.number).execute();
	return true;
};

const findDeleted = (transaction: WorkspaceTransaction): Promise<DeletedSource | undefined> =>
	transaction
		.selectFrom("sources")
		.leftJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
		.select(["sources.number", "keeps_documents"])
		.where(({ eb, or }) =>
			or([
				eb("sources.deleted_at", "is not", null),
				eb("knowledge_bases.deleted_at", "is not", null),
				eb("knowledge_bases.number", "is", null),
			]),
		)
		.limit(1)
		.executeTakeFirst();

async function sweepDocuments(
	transaction: WorkspaceTransaction,
	{ number, keeps_documents }: DeletedSource,
): Promise<boolean> {
	const documents = await transaction
		.selectFrom("documents")
		.select("number")
		.where("source_number", "=", number)
		.limit(DOCUMENTS_PER_SWEEP)
		.execute();
	for (const document of documents)
		if (keeps_documents === 1) await keepDocument(transaction, document.number);
		else await removeDocument(transaction, document.number);
	return documents.length > 0;
}

/**
 * Makes an upload of a document. Where an upload has its `source` already, it has none; where an upload without one has its
 * content, that one stays in its place.
 */
async function keepDocument(transaction: WorkspaceTransaction, number: number): Promise<void> {
	const { source, hasTaken, hasContent } = await findUploads(transaction, number);
	if (source !== null && hasTaken === 0) return makeUpload(transaction, number, source);
	if (hasContent === 0) return makeUpload(transaction, number, null);
	await removeDocument(transaction, number);
}

interface TakenUploads {
	readonly source: string | null;
	/** 0 or 1: whether an upload has the same source. */
	readonly hasTaken: number;
	/** 0 or 1: whether an upload without a source has the same content. */
	readonly hasContent: number;
}

async function findUploads(transaction: WorkspaceTransaction, number: number): Promise<TakenUploads> {
	const { rows } = await sql<TakenUploads>`
		select document.source,
			exists (select from documents others where ${ownRows("others")} and others.source_number is null
				and others.knowledge_base = document.knowledge_base and others.source = document.source) as "hasTaken",
			exists (select from documents others where ${ownRows("others")} and others.source_number is null
				and others.source is null and others.parent is null and others.knowledge_base = document.knowledge_base
				and others.content_sha256 = document.content_sha256) as "hasContent"
		from documents document where ${ownRows("document")} and document.number = ${number}`.execute(
		transaction,
	);
	return rows[0] ?? { source: null, hasTaken: 1, hasContent: 1 };
}

async function makeUpload(
	transaction: WorkspaceTransaction,
	number: number,
	source: string | null,
): Promise<void> {
	await transaction
		.updateTable("documents")
		.set({ source_number: null, source_key: null, source })
		.where("number", "=", number)
		.execute();
}

async function sweepItems(transaction: WorkspaceTransaction, { number }: DeletedSource): Promise<boolean> {
	const { numAffectedRows = 0n } = await sql`
		delete from source_items items where ${ownRows("items")} and items.source = ${number} and items.key in (
			select others.key from source_items others
			where ${ownRows("others")} and others.source = ${number} limit ${ITEMS_PER_SWEEP})`.execute(
		transaction,
	);
	return numAffectedRows > 0n;
}
