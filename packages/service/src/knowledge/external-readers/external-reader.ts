import { DocumentError } from "@stemma/documents";

/** Reader of files that the service reads by a program or a server of the operator. */
export interface ExternalReader {
	readonly name: string;
	/**
	 * Turns a file into text.
	 *
	 * @throws DocumentError `reader_failed`; the reason of `signal`.
	 */
	convert(file: ExternalFile, signal: AbortSignal): Promise<ConvertedFile>;
}

export interface ExternalFile {
	readonly bytes: Uint8Array;
	readonly fileName: string | null;
}

/** Text that a reader has made of a file. */
export interface ConvertedFile {
	readonly bytes: Uint8Array;
	readonly format: OutputFormat;
}

/** Format that an external reader answers in. */
export type OutputFormat = "text" | "markdown" | "html";

const HINT =
	"Try to upload it again. If that fails, too, ask the operator of the service to check the reader of such files.";

/** @param what - went wrong, after "The reader … ". */
export const readerFailedError = (name: string, what: string, cause?: unknown): DocumentError =>
	new DocumentError(
		{ code: "reader_failed", message: `The reader "${name}" ${what}.`, hint: HINT },
		{ cause },
	);

const MAX_FAILURE_CHARACTERS = 200;

/** First line of what a program or a server said of its failure, bounded; empty where it said nothing. */
export function toReason(text: string): string {
	const line = text
		.split(/[\r\n]+/u)
		.map((part) => part.replace(/\p{Cc}/gu, " ").trim())
		.find((part) => part !== "");
	return (line ?? "").slice(0, MAX_FAILURE_CHARACTERS).replace(/\.$/u, "");
}
