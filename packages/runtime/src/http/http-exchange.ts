import type { ActiveRuns, EventRecord } from "@stemma/runs";
import type { Run } from "../runs/run";

/** A request, wherever it comes from: what routes read of it, and no object of any platform. */
export interface HttpRequest {
	readonly method: string;
	/** Starts with a slash, and is not decoded. */
	readonly path: string;
	/** Query without the question mark; empty for none. */
	readonly query: string;
	/** @param name - in lower case. */
	header(name: string): string | undefined;
	/**
	 * Resolves when it is the caller's turn, in servers where callers take turns.
	 *
	 * @throws HttpError 429 `too_many_waiting` if too many requests of the caller wait already.
	 */
	start(): Promise<void>;
	/** The whole body. @throws HttpError for one that is larger, and for one that breaks off. */
	readBody(maxBytes: number): Promise<Uint8Array>;
	/** Calls back once the client has gone before it was answered. Returns what stops that. */
	onDisconnect(listener: () => void): () => void;
	/** Converts to a request of the web standard, with its body not read yet. */
	toWeb(): Request;
}

/** The events of a run after a number, to its end or its next pause. */
export interface RunEvents {
	readonly run: Run;
	/** The runs that it is one of. */
	readonly active: ActiveRuns<Run>;
	readonly after: number;
	/** Format of the events. Default: their own, as server-sent events. */
	readonly format?: EventFormat;
}

/** Text of the events of one run in another protocol. */
export interface EventFormat {
	/** Converts the events of the run, in their order, each once. */
	readonly formatEvent: (event: EventRecord) => string;
	/** Text behind the last event. */
	readonly end: string;
	/** Text in place of the events that were deleted before they were sent. */
	readonly interruption: string;
	/** Sequence number of the pause that the run was resumed from: the events do not end with it. */
	readonly resumedFrom: number;
}

/** Response to a request. */
export interface HttpResponse {
	readonly status: number;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | RunEvents | ReadableStream<Uint8Array> | null;
}

/** Answers a request; throws nothing. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;

/** Headers of an answer whose body is JSON. */
export const JSON_HEADERS = { "content-type": "application/json" };

/** Text that is JSON already. */
export const jsonTextResponse = (body: string): HttpResponse => ({
	status: 200,
	headers: JSON_HEADERS,
	body,
});

export const jsonResponse = (body: unknown): HttpResponse => jsonTextResponse(JSON.stringify(body));
