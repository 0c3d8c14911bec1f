import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { UploadReadResult } from "../ingest/group-writes";
import type { PassageWriter } from "../ingest/passage-writer";
import type { StoredPart } from "../repositories/passage-repository";
import type { DeferredUploads } from "./deferred-uploads";
import { type EmbeddedPart, type EmbedOptions, embedParts } from "./embed-parts";

/** Options of embedding and storing what was read. */
export interface EmbedAndStoreOptions extends Omit<EmbedOptions, "onOutage" | "isDeferred"> {
	readonly writer: PassageWriter;
	readonly deferred: DeferredUploads;
	/** Shows uploads as waiting, without an attempt; they stay claimed. */
	readonly clearAttempts: (uploads: readonly number[]) => Promise<void>;
}

/**
 * Embeds and stores what was read, with one call for the passages of each transaction. Of an upload that fails, or that is
 * deferred, nothing more is stored.
 */
export async function embedAndStore(
	read: readonly UploadReadResult[],
	options: EmbedAndStoreOptions,
): Promise<void> {
	const { writer, deferred, clearAttempts } = options;
	const onOutage = () => clearAttempts(read.map(({ upload }) => upload));
	const embedOptions: EmbedOptions = { ...options, onOutage, isDeferred: deferred.has };
	const skippedUploads = new Set<number>();
	for (const grouped of await writer.group(read, true)) {
		const parts = grouped.filter(({ upload }) => !skippedUploads.has(upload));
		if (parts.length === 0) continue;
		const storedParts = await deferFailedParts(await embedParts(parts, embedOptions), options);
		const embeddedUploads = new Set(
			storedParts.flatMap((part) => (part.kind === "passages" ? [part.upload] : [])),
		);
		for (const { upload } of parts) if (!embeddedUploads.has(upload)) skippedUploads.add(upload);
		if (storedParts.length > 0) await writer.store(storedParts);
	}
	for (const { upload } of read) deferred.delete(upload);
}

/** Defers parts that failed; fails those that were tried too often. */
async function deferFailedParts(
	embedded: readonly EmbeddedPart[],
	{ deferred, clearAttempts }: EmbedAndStoreOptions,
): Promise<readonly StoredPart[]> {
	const storedParts: StoredPart[] = [];
	for (const part of embedded) {
		if (part.kind !== "deferred") storedParts.push(part);
		else if (!deferred.add(part.upload, part.cause))
			storedParts.push({ kind: "failed", upload: part.upload, error: toRunError(part.cause) });
		else await clearAttempts([part.upload]);
	}
	return storedParts;
}

function toRunError(error: unknown): RunError {
	if (!isStemmaError(error)) return embeddingFailedError;
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}

const embeddingFailedError: RunError = {
	code: "embedding_failed",
	message: "The embedding model fails on this document, while it answers for others.",
	hint: "Find the reason in the log of the service, then upload the document again.",
};
