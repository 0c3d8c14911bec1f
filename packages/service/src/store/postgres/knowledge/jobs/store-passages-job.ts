import { checkPin } from "../../../../knowledge/embeddings/check-pin";
import type { PassagesPart, StorePassagesInput } from "../../../../knowledge/repositories/passage-repository";
import {
	type PartMatch,
	toPartMatch,
	type UploadedDocument,
} from "../../../sqlite/knowledge/jobs/store-passages-job";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { isMoving } from "../reindex/reindex-rows";
import { insertVectors, readVectorSlot } from "../search/passage-vectors";
import { readPin, unpinIfEmpty, writePin } from "./embedding-pins";
import { insertPassages } from "./insert-passages";
import { insertSweep } from "./insert-sweep";
import { publishPassages } from "./publish-passages";
import { requeueUpload, requeueWithAttachments } from "./requeue-upload-job";
import { hasRoomForAttachments } from "./store-attachments";
import { failUpload } from "./upload-rows";

/** Writes what was read; returns whether something was put into the queue again. */
export const storePassages: PostgresJob<StorePassagesInput, boolean> = async (transaction, input) => {
	let isRequeued = false;
	for (const part of input.parts) {
		const document = await findDocument(transaction, part.upload);
		if (document === undefined) continue;
		const match = part.kind === "failed" ? part : await matchPart(transaction, document, part);
		if (match.kind === "failed") {
			await failUpload(transaction, part.upload, match.error, input.now);
			await unpinIfEmpty(transaction, document.knowledge_base);
		} else if (match.kind === "requeue")
			isRequeued =
				(await requeueUpload(transaction, { upload: part.upload, vendorFailures: 0 })) !== null || isRequeued;
		else if (part.kind === "passages")
			isRequeued = !(await storeWhereRoom(transaction, document, part, match, input)) || isRequeued;
	}
	return isRequeued;
};

async function findDocument(
	transaction: WorkspaceTransaction,
	upload: number,
): Promise<UploadedDocument | undefined> {
	const row = await transaction
		.selectFrom("uploads")
		.innerJoin("documents", "documents.number", "uploads.document")
		.select(["documents.number", "knowledge_base", "given_title", "first_passage", "passage_count"])
		.select("original_content")
		.where("uploads.number", "=", upload)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { given_title, original_content, ...document } = row;
	return { ...document, title: given_title ?? "", original_content: original_content ?? 0 };
}

/** Finds out how a part is stored. */
async function matchPart(
	transaction: WorkspaceTransaction,
	{ knowledge_base }: UploadedDocument,
	part: PassagesPart,
): Promise<PartMatch> {
	const pin = await readPin(transaction, knowledge_base);
	return toPartMatch(checkPin(pin, part.vectors, await isMoving(transaction, knowledge_base)), part);
}

type StoredMatch = Extract<PartMatch, { kind: "store" }>;

/** Stores a part, unless its attachments would be too many documents: then it is queued again. @returns whether it was stored. */
async function storeWhereRoom(
	transaction: WorkspaceTransaction,
	document: UploadedDocument,
	part: PassagesPart,
	match: StoredMatch,
	{ maxDocuments, now }: StorePassagesInput,
): Promise<boolean> {
	if (await hasRoomForAttachments(transaction, document.number, part.attachments, maxDocuments)) {
		await storePart(transaction, document, part, match, now);
		return true;
	}
	await requeueWithAttachments(transaction, part.upload);
	return false;
}

async function storePart(
	transaction: WorkspaceTransaction,
	document: UploadedDocument,
	part: PassagesPart,
	{ vectors, newPin, passages }: StoredMatch,
	now: number,
): Promise<void> {
	const base = document.knowledge_base;
	if (newPin !== undefined) await writePin(transaction, base, newPin);
	const title = document.title || part.title;
	await insertPassages(transaction, document, { first: part.first, title, passages });
	if (vectors !== undefined)
		await insertVectors(
			transaction,
			base,
			await readVectorSlot(transaction, base),
			vectors.values.map((values, index) => ({ passage: part.first + index, values })),
		);
	const { range } = part;
	const isLast = part.first + passages.length === range.first + range.count;
	if (isLast) await publishPassages(transaction, document, part, title, now);
	// No document shows them yet: after a crash they are swept away.
	else if (part.first === range.first) await insertSweep(transaction, base, range, part.upload);
}
