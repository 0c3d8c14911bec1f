import { type Kysely, sql } from "kysely";
import { checkPin } from "../../../../knowledge/embeddings/check-pin";
import type { EmbeddingPin } from "../../../../knowledge/embeddings/pinned-space";
import type {
	PassagesPart,
	StoredPart,
	StorePassagesInput,
} from "../../../../knowledge/repositories/passage-repository";
import { type PartMatch, toPartMatch } from "../../../sqlite/knowledge/jobs/store-passages-job";
import type { WorkspaceTables } from "../../../workspace-tables";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { isMoving } from "../reindex/reindex-rows";
import type { CollectDocumentWords } from "../word-index/word-collector";
import { readPin, unpinIfEmpty, writePin } from "./embedding-pins";
import { NO_PREPARED_WORDS, type PreparedWords, prepareWords } from "./prepared-words";
import type { ReadDocument } from "./publish-passages";
import { hasRoomForAttachments } from "./store-attachments";
import { type MatchedPart, storePassageParts } from "./store-passage-parts";
import { requeueUpload, requeueWithAttachments } from "./uploads/requeue-upload-job";
import { failUpload } from "./uploads/upload-rows";

/** Writes what was read, as many parts together as can be; returns whether something was put into the queue again. */
export const storePassages: PostgresJob<StorePassagesInput, boolean> = Object.assign(
	(transaction: WorkspaceTransaction, input: StorePassagesInput) =>
		storePrepared(transaction, input, NO_PREPARED_WORDS),
	{ prepare },
);

/** Collects the words of documents before the transaction, with the titles that they have by then. */
async function prepare(
	read: Kysely<WorkspaceTables>,
	input: StorePassagesInput,
	collectWords: CollectDocumentWords,
): Promise<(transaction: WorkspaceTransaction) => Promise<boolean>> {
	const documents = await read
		.transaction()
		.execute((transaction) => findDocuments(transaction, input.parts));
	const prepared = await prepareWords(input.parts, documents, collectWords);
	return (transaction) => storePrepared(transaction, input, prepared);
}

async function storePrepared(
	transaction: WorkspaceTransaction,
	input: StorePassagesInput,
	prepared: PreparedWords,
): Promise<boolean> {
	const documents = await findDocuments(transaction, input.parts);
	const pins = createPins(transaction);
	let isRequeued = false;
	let matched: MatchedPart[] = [];
	async function storeMatched(): Promise<void> {
		await storePassageParts(transaction, matched, { now: input.now, prepared });
		matched = [];
	}
	for (const part of input.parts) {
		const document = documents.get(part.upload);
		if (document === undefined) continue;
		const match = part.kind === "failed" ? part : await pins.match(document, part);
		if (part.kind === "passages" && match.kind === "store" && part.attachments === undefined) {
			matched.push({ document, part, match });
			continue;
		}
		// What follows reads what was stored before.
		await storeMatched();
		isRequeued = (await storeAlone(transaction, { document, part, match }, input)) || isRequeued;
		if (match.kind !== "store") documents.delete(part.upload);
		pins.forget();
	}
	await storeMatched();
	return isRequeued;
}

interface AlonePart {
	readonly document: ReadDocument;
	readonly part: StoredPart;
	readonly match: PartMatch;
}

/** Stores a part that has attachments, or that is not stored. @returns whether it was put into the queue again. */
async function storeAlone(
	transaction: WorkspaceTransaction,
	{ document, part, match }: AlonePart,
	{ maxDocuments, now }: StorePassagesInput,
): Promise<boolean> {
	if (match.kind === "failed") {
		await failUpload(transaction, part.upload, match.error, now);
		await unpinIfEmpty(transaction, document.knowledge_base);
		return false;
	}
	if (match.kind === "requeue")
		return (await requeueUpload(transaction, { upload: part.upload, vendorFailures: 0 })) !== null;
	if (part.kind === "failed") return false;
	if (await hasRoomForAttachments(transaction, document.number, part.attachments, maxDocuments)) {
		await storePassageParts(transaction, [{ document, part, match }], { now, prepared: NO_PREPARED_WORDS });
		return false;
	}
	await requeueWithAttachments(transaction, part.upload);
	return true;
}

/** Finds the documents of uploads that are still in the queue, by upload. */
async function findDocuments(
	transaction: WorkspaceTransaction,
	parts: readonly StoredPart[],
): Promise<Map<number, ReadDocument>> {
	const uploads = parts.map(({ upload }) => upload);
	const rows = await transaction
		.selectFrom("uploads")
		.innerJoin("documents", "documents.number", "uploads.document")
		.select(["uploads.number as upload", "documents.number", "knowledge_base", "given_title"])
		.select(["first_passage", "passage_count", "original_content", "text_content"])
		.where("uploads.number", "=", sql<number>`any(${uploads}::bigint[])`)
		.execute();
	return new Map(
		rows.map(({ upload, given_title, original_content, ...document }) => [
			upload,
			{ ...document, title: given_title ?? "", original_content: original_content ?? 0 },
		]),
	);
}

/** Creates what holds parts against the pins of their knowledge bases, each of which is read once. */
function createPins(transaction: WorkspaceTransaction) {
	const known = new Map<number, { pin: EmbeddingPin; isMoving: boolean }>();
	async function read(base: number) {
		const found = known.get(base);
		if (found !== undefined) return found;
		const [pin, isMovingNow] = await Promise.all([readPin(transaction, base), isMoving(transaction, base)]);
		const pinned = { pin, isMoving: isMovingNow };
		known.set(base, pinned);
		return pinned;
	}
	return {
		/** Finds out how a part is stored. The first one pins its knowledge base. */
		async match({ knowledge_base: base }: ReadDocument, part: PassagesPart): Promise<PartMatch> {
			const pinned = await read(base);
			const match = toPartMatch(checkPin(pinned.pin, part.vectors, pinned.isMoving), part);
			if (match.kind === "store" && match.newPin !== undefined) {
				await writePin(transaction, base, match.newPin);
				pinned.pin = match.newPin;
			}
			return match;
		},
		forget: () => known.clear(),
	};
}
