import { brand, StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";
import type { KnowledgeDocument } from "./types/knowledge";

/** Whether an error carries the brand of a class, whichever copy of the package made it. */
export const isBranded = (error: unknown, className: string): boolean =>
	typeof error === "object" &&
	error !== null &&
	(error as Record<symbol, unknown>)[Symbol.for(`stemma.${className}`)] === true;

/**
 * The network failed: no answer came, or it broke off. In browsers also a request that CORS forbids, which looks the
 * same from a page. Code `connection_failed`; `redirected` when the address answers with a redirect, which is not followed.
 */
export class ConnectionError extends StemmaError {
	constructor(message: string, options: Partial<StemmaErrorOptions> = {}) {
		super(message, { code: "connection_failed", ...options });
	}

	static override is(error: unknown): error is ConnectionError {
		return isBranded(error, "ConnectionError");
	}
}
brand(ConnectionError, "ConnectionError");

/** The deadlines of a call. */
export type TimeoutName = "responseMs" | "silenceMs" | "totalMs";

const TIMEOUTS: Record<TimeoutName, { readonly code: string; readonly message: string }> = {
	responseMs: { code: "response_timeout", message: "No answer came" },
	silenceMs: { code: "silence_timeout", message: "The stream fell silent: not a byte came" },
	totalMs: { code: "total_timeout", message: "The call as a whole did not end" },
};

/** A deadline of the call passed. Codes `response_timeout`, `silence_timeout`, `total_timeout`. */
export class TimeoutError extends StemmaError {
	/** The option that set the deadline. */
	readonly timeout: TimeoutName;
	readonly timeoutMs: number;

	constructor(timeout: TimeoutName, timeoutMs: number) {
		const { code, message } = TIMEOUTS[timeout];
		super(`${message} within ${timeoutMs} ms.`, {
			code,
			hint: `Where it may take longer, raise \`timeouts.${timeout}\`, for the client or for this call.`,
		});
		this.timeout = timeout;
		this.timeoutMs = timeoutMs;
	}

	static override is(error: unknown): error is TimeoutError {
		return isBranded(error, "TimeoutError");
	}
}
brand(TimeoutError, "TimeoutError");

export interface StreamErrorOptions extends StemmaErrorOptions {
	readonly requestId?: string;
}

/**
 * A stream that cannot be read to its end. `stream_lost`: the connection broke and could not be had again;
 * `stream_cut_off`: it ended before its last event; `stream_invalid`: it sent what is no event. Any other code is what
 * the service said in the stream itself.
 */
export class StreamError extends StemmaError {
	/** `x-request-id` of the answer; empty when it had none. */
	readonly requestId: string;

	constructor(message: string, { requestId = "", ...options }: StreamErrorOptions) {
		super(message, options);
		this.requestId = requestId;
	}

	static override is(error: unknown): error is StreamError {
		return isBranded(error, "StreamError");
	}
}
brand(StreamError, "StreamError");

/** Documents that were waited for and could not be read. Code `document_failed`. */
export class DocumentFailedError extends StemmaError {
	/** Those that failed, each with its `error`. */
	readonly documents: readonly KnowledgeDocument[];

	constructor(documents: readonly KnowledgeDocument[]) {
		super(describeFailures(documents), {
			code: "document_failed",
			hint: "`error.documents` has each document with its own error.",
		});
		this.documents = documents;
	}

	static override is(error: unknown): error is DocumentFailedError {
		return isBranded(error, "DocumentFailedError");
	}
}
brand(DocumentFailedError, "DocumentFailedError");

const LISTED_DOCUMENTS = 5;

function describeFailures(documents: readonly KnowledgeDocument[]): string {
	const lines = documents
		.slice(0, LISTED_DOCUMENTS)
		.map(({ id, title, error }) => `\n  ${title} (${id}): ${error?.message ?? "no reason was given"}`);
	const rest = documents.length - lines.length;
	const count = documents.length === 1 ? "1 document" : `${documents.length} documents`;
	return `${count} could not be read:${lines.join("")}${rest > 0 ? `\n  … and ${rest} more` : ""}`;
}
