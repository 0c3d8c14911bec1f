/** Reasons for which a document cannot be read, as programs tell them apart. */
export type UnreadableCode = "unreadable" | "needs_ocr" | "password_protected" | "too_complex";

export interface UnreadableErrorOptions extends ErrorOptions {
	/** Default `unreadable`. */
	readonly code?: UnreadableCode;
	/** Hint that says what to do, as a sentence. Default: by the code. */
	readonly hint?: string;
}

const HINTS: { readonly [Code in UnreadableCode]: string } = {
	unreadable: "Check its format and its encoding, then upload it again.",
	needs_ocr:
		"Run text recognition (OCR) on it, then upload the result; or let the operator install tesseract.js-core and @tesseract.js-data/eng beside the service, which reads it then.",
	password_protected: "Save it without a password, then upload it again.",
	too_complex: "Split it into smaller documents, then upload these.",
};

/** A file or document cannot be read; the message says why, in half a sentence. */
export class UnreadableError extends Error {
	readonly code: UnreadableCode;
	readonly hint: string;

	constructor(
		message: string,
		{ code = "unreadable", hint = HINTS[code], ...options }: UnreadableErrorOptions = {},
	) {
		super(message, options);
		this.code = code;
		this.hint = hint;
	}
}

/** @param parts - what is nested, in the plural. */
export const nestingError = (parts: string): UnreadableError =>
	new UnreadableError(`its ${parts} are nested too deeply`, { code: "too_complex" });
