/** What the hostile server does with a request. All of it is data: it can be given on a command line, as JSON. */
export type Behaviour =
	| NormalResponse
	| StatusResponse
	| ResetConnection
	| Silence
	| Drip
	| RawResponse
	| Flood
	| EventStream;

/** As a good service would. */
export interface NormalResponse {
	readonly kind: "normal";
	/** Before the headers. */
	readonly delayMs?: number;
}

/** Any status, with any body. */
export interface StatusResponse {
	readonly kind: "status";
	readonly status: number;
	/** Default: none, and no content type. */
	readonly body?: BodyName | { readonly text: string };
	readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `api-error`: the API's error object. `html`: a page of a proxy. `garbage`: bytes that are no text. `half-json`: JSON
 * that is cut. `huge`: an error object whose message has 10 MB. `echo`: an error object that repeats the credentials of
 * the request in its fields; `escaped-echo`: each of their letters written as `\u….`; `header-echo`: in `x-request-id`.
 */
export type BodyName =
	| "api-error"
	| "html"
	| "garbage"
	| "half-json"
	| "huge"
	| "echo"
	| "escaped-echo"
	| "header-echo";

/** The connection is reset: a packet with RST, not an end. */
export interface ResetConnection {
	readonly kind: "reset";
	readonly when: "before-headers" | "in-headers" | "after-headers" | "in-body";
}

/** The answer gets so far and no further; the connection stays. */
export interface Silence {
	readonly kind: "silence";
	readonly after: "request" | "status-line" | "headers";
}

/** The answer comes a byte at a time, and never to its end. */
export interface Drip {
	readonly kind: "drip";
	readonly part: "headers" | "body";
	readonly everyMs: number;
	/** Of the answer whose body drips. Default 200. */
	readonly status?: number;
}

/** Bytes that need not be HTTP; then the connection ends. `{authorization}` stands for that of the request. */
export interface RawResponse {
	readonly kind: "raw";
	readonly text: string;
}

/** So many bytes of one letter as fast as they are taken: in one event, or as a JSON body, of which they are a text. */
export interface Flood {
	readonly kind: "flood";
	readonly as: "event" | "line" | "json";
	readonly megabytes: number;
	readonly status?: number;
}

/** A stream of events, by default those of the run that is asked for, after those that the request has. */
export interface EventStream extends WireOptions {
	readonly kind: "events";
	/** Of the events that the request has not, only the first so many. */
	readonly maxEvents?: number;
	/** So many events that the request has come again before the others. */
	readonly replay?: number;
	/** Instead of them: the events of the run with these numbers, in this order. */
	readonly seqs?: readonly number[];
	/** Instead of them: events with this data, each JSON unless it is a text. */
	readonly data?: readonly unknown[];
	/** Instead of them: the text of the stream. */
	readonly text?: string;
}

/** Options of writing a stream. */
export interface WireOptions {
	/** Default: all at once. */
	readonly chunkBytes?: number;
	readonly lineEnd?: "\n" | "\r" | "\r\n";
	readonly startsWithBom?: boolean;
	readonly contentEncoding?: "gzip" | "broken-gzip";
	/** Default `text/event-stream`. */
	readonly contentType?: string;
	/** What comes after the last event. Default `end`; `cut`: the connection ends, and the answer does not. */
	readonly ending?:
		| "end"
		| "cut"
		| "reset"
		| "half-event-and-reset"
		| "half-event-and-end"
		| "silence"
		| "heartbeats";
}
