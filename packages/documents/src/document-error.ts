import type { RunError } from "@stemma/core";

/** A document cannot be read: why, and what to do. */
export class DocumentError extends Error {
	readonly error: RunError;

	constructor(error: RunError, options?: ErrorOptions) {
		super(error.message, options);
		this.error = error;
	}
}

export const noTextError = (): DocumentError =>
	new DocumentError({
		code: "no_text",
		message: "The document holds no text.",
		hint: "Upload it again with text in it.",
	});

/** @param reason - half a sentence. */
export const unreadableError = (reason: string, cause?: unknown): DocumentError =>
	new DocumentError(
		{
			code: "unreadable",
			message: `The document cannot be read: ${reason}.`,
			hint: "Check its format and its encoding, then upload it again.",
		},
		{ cause },
	);

export const parseTimeoutError = (limitMs: number): DocumentError =>
	new DocumentError({
		code: "parse_timeout",
		message: `Reading the document took longer than ${limitMs / 1_000} s.`,
		hint: "Split it into smaller documents, then upload these.",
	});

export const parseOutOfMemoryError = (): DocumentError =>
	new DocumentError({
		code: "parse_out_of_memory",
		message: "Reading the document took more memory than one document is given.",
		hint: "Split it into smaller documents, then upload these.",
	});

export const parseCrashedError = (cause?: unknown): DocumentError =>
	new DocumentError(
		{
			code: "parse_crashed",
			message: "The document ended the thread that read it.",
			hint: "Upload it in another format.",
		},
		{ cause },
	);
