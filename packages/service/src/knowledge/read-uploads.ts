import type { RunError } from "@stemma/core";
import type { Database } from "../store/database";
import { COUNT_ATTEMPT } from "./count-attempt-job";
import { DocumentError } from "./document-error";
import { type DocumentReader, ReaderStopped } from "./document-reader";
import type { ReadUpload } from "./group-writes";
import type { KnowledgeTables } from "./knowledge-tables";
import type { TakenUpload } from "./take-uploads-job";

export interface ReadOptions {
	readonly reader: DocumentReader;
	readonly database: Database<KnowledgeTables>;
	readonly whenQuiet: () => Promise<void>;
}

/** A document that was under way whenever the process ended is likely why it did. */
const MAX_ATTEMPTS = 5;

/** Reads uploads; the results are in their order. Those that the reader was stopped before are left out. */
export async function readUploads(
	uploads: readonly TakenUpload[],
	options: ReadOptions,
): Promise<ReadUpload[]> {
	const results = await Promise.allSettled(uploads.map((upload) => readUpload(upload, options)));
	return results.flatMap((result) => {
		if (result.status === "rejected") throw result.reason;
		return result.value ?? [];
	});
}

/** Nothing when the reader was stopped. */
async function readUpload(
	{ number, attempts, givenTitle, content: bytes, format, fileName, source }: TakenUpload,
	{ reader, database, whenQuiet }: ReadOptions,
): Promise<ReadUpload | undefined> {
	if (attempts > MAX_ATTEMPTS) return { upload: number, error: interrupted };
	const isSuspect = attempts > 0;
	let counting: Promise<void> | undefined;
	// It may have two turns, in a quick thread and in the slow one: that is one attempt.
	const countOnce = (): Promise<void> => {
		counting ??= database.writeJob<void>(COUNT_ATTEMPT, number);
		return counting;
	};
	const onTurn = isSuspect ? countOnce : whenQuiet;
	try {
		const content = await reader.read({ bytes, format, fileName, source }, { isSuspect, onTurn });
		return { upload: number, content: { ...content, title: givenTitle || content.title } };
	} catch (error) {
		if (error instanceof ReaderStopped) return undefined;
		if (error instanceof DocumentError) return { upload: number, error: error.error };
		throw error;
	}
}

const interrupted: RunError = {
	code: "interrupted",
	message: `The service ended ${MAX_ATTEMPTS} times while it read the document.`,
	hint: "Upload it in another format, or split it into smaller documents.",
};
