import type { JsonObject } from "@stemma/core";
import { StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";
import type { KnowledgeDocument } from "../types/knowledge/knowledge";

/**
 * The network failed: no answer came, or it broke off. In browsers also a request that CORS forbids, which looks the
 * same from a page. Code `connection_failed`; `redirected` when the address answers with a redirect, which is not followed.
 */
export class ConnectionError extends StemmaError {
	static override get stemmaName(): string {
		return "ConnectionError";
	}
	declare static readonly is: (error: unknown) => error is ConnectionError;

	constructor(message: string, options: Partial<StemmaErrorOptions> = {}) {
		super(message, { code: "connection_failed", ...options });
	}
}

/** The deadlines of a call. */
export type TimeoutName = "headersTimeoutMs" | "idleTimeoutMs" | "eventTimeoutMs" | "timeoutMs";

const TIMEOUTS: Readonly<Record<TimeoutName, readonly [code: string, message: string]>> = {
	headersTimeoutMs: ["headers_timeout", "No answer came"],
	idleTimeoutMs: ["idle_timeout", "The stream was idle: no data came"],
	eventTimeoutMs: ["event_timeout", "The run made no progress: no event came"],
	timeoutMs: ["total_timeout", "The whole call did not end"],
};

/** A deadline of the call passed. Codes `headers_timeout`, `idle_timeout`, `event_timeout`, `total_timeout`. */
export class TimeoutError extends StemmaError {
	static override get stemmaName(): string {
		return "TimeoutError";
	}
	declare static readonly is: (error: unknown) => error is TimeoutError;

	/** The option that set the deadline. */
	declare readonly timeout: TimeoutName;
	declare readonly timeoutMs: number;

	constructor(timeout: TimeoutName, timeoutMs: number) {
		const [code, message] = TIMEOUTS[timeout];
		const hint = `If it may take longer, raise \`timeouts.${timeout}\`, for the client or for this call.`;
		super(`${message} within ${timeoutMs} ms.`, { code, hint }, { timeout, timeoutMs });
	}
}

export interface StreamErrorOptions extends StemmaErrorOptions {
	readonly requestId?: string;
	readonly details?: JsonObject | undefined;
}

/**
 * A stream that cannot be read to its end. `stream_lost`: the connection broke and could not be had again;
 * `stream_cut_off`: it ended before its last event; `stream_invalid`: it sent what is no event. Any other code is what
 * the service said in the stream itself.
 */
export class StreamError extends StemmaError {
	static override get stemmaName(): string {
		return "StreamError";
	}
	declare static readonly is: (error: unknown) => error is StreamError;

	/** `x-request-id` of the answer; empty when it had none. */
	declare readonly requestId: string;
	/** Details of the service's error: `details.receipt` has the calls that were made until then. */
	declare readonly details?: JsonObject;

	constructor(message: string, { requestId = "", details, ...options }: StreamErrorOptions) {
		super(message, options, { requestId, details });
	}
}

/** Documents that were waited for and could not be read. Code `document_failed`. */
export class DocumentFailedError extends StemmaError {
	static override get stemmaName(): string {
		return "DocumentFailedError";
	}
	declare static readonly is: (error: unknown) => error is DocumentFailedError;

	/** Documents that failed, each with its `error`. */
	declare readonly documents: readonly KnowledgeDocument[];

	constructor(documents: readonly KnowledgeDocument[]) {
		super(
			describeFailures(documents),
			{ code: "document_failed", hint: "`error.documents` has each document with its own error." },
			{ documents },
		);
	}
}

const MAX_LISTED_DOCUMENTS = 5;

function describeFailures(documents: readonly KnowledgeDocument[]): string {
	const lines = documents
		.slice(0, MAX_LISTED_DOCUMENTS)
		.map(({ id, title, error }) => `\n  ${title} (${id}): ${error?.message ?? "no reason was given"}`);
	const rest = documents.length - lines.length;
	const count = documents.length === 1 ? "1 document" : `${documents.length} documents`;
	return `${count} could not be read:${lines.join("")}${rest > 0 ? `\n  … and ${rest} more` : ""}`;
}
