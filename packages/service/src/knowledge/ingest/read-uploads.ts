import type { RunError } from "@stemma/core";
import { DocumentError } from "@stemma/documents";
import type { ClaimedUpload, UploadRepository } from "../repositories/upload-repository";
import type { UploadReadResult } from "./group-writes";
import { type DocumentReader, ReaderStoppedError } from "./reading/document-reader";

/** Options of reading uploads; an upload that ends the process again and again is failed. */
export interface ReadUploadsOptions {
	readonly reader: DocumentReader;
	readonly uploads: Pick<UploadRepository, "countAttempt">;
	readonly whenNoSearches: () => Promise<void>;
}

/** A document that was under way whenever the process ended is likely why it did. */
const MAX_ATTEMPTS = 5;

/** Reads uploads; the results are in their order. Those that the reader was stopped before are left out. */
export async function readUploads(
	uploads: readonly ClaimedUpload[],
	options: ReadUploadsOptions,
): Promise<UploadReadResult[]> {
	const results = await Promise.allSettled(uploads.map((upload) => readUpload(upload, options)));
	return results.flatMap((result) => {
		if (result.status === "rejected") throw result.reason;
		return result.value ?? [];
	});
}

/** Reads an upload; `undefined` when the reader was stopped. */
async function readUpload(
	{ number, attempts, givenTitle, content: bytes, ...file }: ClaimedUpload,
	{ reader, uploads, whenNoSearches }: ReadUploadsOptions,
): Promise<UploadReadResult | undefined> {
	if (attempts > MAX_ATTEMPTS) return { upload: number, error: interruptedError };
	const isPoisonCandidate = attempts > 0;
	let attemptWrite: Promise<void> | undefined;
	// It may have two turns, in a quick process and in the slow one: that is one attempt.
	const countAttemptOnce = (): Promise<void> => {
		attemptWrite ??= uploads.countAttempt(number);
		return attemptWrite;
	};
	const onStart = isPoisonCandidate ? countAttemptOnce : whenNoSearches;
	try {
		const content = await reader.read({ bytes, ...file }, { isPoisonCandidate, onStart });
		return { upload: number, content: { ...content, title: givenTitle || content.title } };
	} catch (error) {
		if (error instanceof ReaderStoppedError) return undefined;
		if (error instanceof DocumentError) return { upload: number, error: error.error };
		throw error;
	}
}

const interruptedError: RunError = {
	code: "interrupted",
	message: `The service ended ${MAX_ATTEMPTS} times while it read the document.`,
	hint: "Upload it in another format, or split it into smaller documents.",
};
