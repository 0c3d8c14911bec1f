import type { RunError } from "@stemma/core";
import type { Database } from "../store/database";
import { COUNT_ATTEMPT } from "./count-attempt-job";
import { DocumentError } from "./document-error";
import { type DocumentReader, ReaderStopped } from "./document-reader";
import type { ReadUpload } from "./group-writes";
import type { KnowledgeTables } from "./knowledge-tables";
import type { TakenUpload } from "./take-uploads-job";
import type { UploadContent } from "./upload-content";

export interface ReadOptions {
	readonly reader: DocumentReader;
	readonly database: Database<KnowledgeTables>;
	readonly whenQuiet: () => Promise<void>;
}

/** A document that was under way whenever the process ended is likely why it did. */
const MAX_ATTEMPTS = 5;

/** Reads uploads in their order; those after the reader was stopped are left out. */
export async function readUploads(
	uploads: readonly TakenUpload[],
	options: ReadOptions,
): Promise<ReadUpload[]> {
	const read: ReadUpload[] = [];
	for (const upload of uploads) {
		await options.whenQuiet();
		const result = await readUpload(upload, options);
		if (result === undefined) break;
		read.push(result);
	}
	return read;
}

/** Nothing when the reader was stopped. */
async function readUpload(upload: TakenUpload, options: ReadOptions): Promise<ReadUpload | undefined> {
	const { number, attempts, givenTitle, content: bytes, format, fileName, source } = upload;
	if (attempts > MAX_ATTEMPTS) return { upload: number, error: interrupted };
	if (attempts > 0) await countAttempt(number, options);
	try {
		const content = await options.reader.read({ bytes, format, fileName, source });
		return { upload: number, content: { ...content, title: givenTitle || content.title } };
	} catch (error) {
		if (error instanceof ReaderStopped) return undefined;
		if (error instanceof DocumentError) return { upload: number, error: error.error };
		throw error;
	}
}

const NOTHING: UploadContent = { bytes: new Uint8Array(), format: "text", fileName: null, source: null };

/** Once the reader is at work: a process that ends while it is started ends for another reason. */
async function countAttempt(upload: number, { reader, database }: ReadOptions): Promise<void> {
	await reader.read(NOTHING).catch(() => undefined);
	await database.writeJob(COUNT_ATTEMPT, upload);
}

const interrupted: RunError = {
	code: "interrupted",
	message: `The service ended ${MAX_ATTEMPTS} times while it read the document.`,
	hint: "Upload it in another format, or split it into smaller documents.",
};
