import type { RunError } from "@stemma/core";
import { UnreadableError } from "./unreadable-error";

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

/** @param thrown - by a reader: an {@link UnreadableError}, or a fault. */
export function unreadableError(thrown: unknown): DocumentError {
	const { code, message, hint } =
		thrown instanceof UnreadableError ? thrown : new UnreadableError(describeThrown(thrown));
	return new DocumentError(
		{ code, message: `The document cannot be read: ${message}.`, hint },
		{ cause: thrown },
	);
}

const describeThrown = (thrown: unknown): string =>
	thrown instanceof Error ? thrown.message : String(thrown);

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

export const textTooLargeError = (): DocumentError =>
	unreadableError(
		new UnreadableError("it holds more text than one document may have", { code: "too_complex" }),
	);

export const parseCrashedError = (cause?: unknown): DocumentError =>
	new DocumentError(
		{
			code: "parse_crashed",
			message: "The document ended the process that read it.",
			hint: "Upload it in another format.",
		},
		{ cause },
	);
