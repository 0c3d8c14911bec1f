import type { Credential } from "./auth/credential";
import type { CallOptions, Timeouts, WithRequestId } from "./options/call-options";
import type { Logger } from "./options/client-options";

/** The way to a service or a runtime: what `createClient` makes, and every resource is a function of. */
export interface StemmaClient {
	/** Address of the service or runtime, without a slash at its end. */
	readonly baseUrl: string;
	readonly timeouts: Timeouts;
	readonly maxRetries: number;
	readonly retryDelayMs: number;
	readonly logger: Logger | undefined;
	/** True where bodies can be read piece by piece: by `fetch`, or over `XMLHttpRequest`. */
	readonly canStream: boolean;
	/** Sends a request, again where that is safe and may help, and reads the JSON that it is answered with. */
	request<Result extends object>(request: ServiceRequest): Promise<WithRequestId<Result>>;
	/** Sends a request as `request` does, but leaves the body unread: read it to its end or close it. */
	open(request: ServiceRequest): Promise<OpenResponse>;
	/** Credential of its requests: functions alone, so that printing the client shows no secret. */
	readonly credential: Credential;
	/** A copy of JSON that goes into an error: without the client's credentials and these other secrets. */
	redact<Json extends object>(json: Json, ...secrets: readonly (string | undefined)[]): Json;
}

/** One request, before credentials and defaults. */
export interface ServiceRequest {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** Path after `baseUrl`, with every part escaped: see `path`. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** The body: as JSON, as a form with files, or as a form of plain fields. */
	readonly json?: object;
	readonly form?: FormData;
	readonly fields?: Readonly<Record<string, string>>;
	/** A body that is made as it is sent. Only where `canStreamRequests` of `http/platform.ts` says so. */
	readonly stream?: RequestStream;
	/**
	 * Receives how much of the body has been sent. Where there is `XMLHttpRequest`, it sends the `form` for that
	 * reason, unless a `fetch` was passed in, which cannot report progress.
	 */
	readonly onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
	/** True where the stream can be resumed, and may be closed before its end to save memory. */
	readonly isResumable?: boolean | undefined;
	/** Default `application/json`. */
	readonly accept?: "text/event-stream";
	/** The method's own; the caller's win. What is `undefined` is none. */
	readonly headers?: Readonly<Record<string, string | number | undefined>>;
	/**
	 * Condition for another try: `failed` (default) whenever it may help; `if-not-started` only when nothing was
	 * started, for what the service does not recognise by its idempotency key; `never`.
	 */
	readonly retry?: "failed" | "if-not-started" | "never";
	/**
	 * Another protocol than the service's own: tells which statuses besides those of success are answers of it, for `open`.
	 * No idempotency key goes along then.
	 */
	readonly acceptStatus?: (status: number) => boolean;
	/** Goes out without a credential, for what is open to all. */
	readonly anonymous?: boolean;
	/** Called each time the request is about to be sent: from then on, it may have taken effect. */
	readonly onSend?: () => void;
	readonly options?: CallOptions | undefined;
}

/** A body that is made as it is sent. */
export interface RequestStream {
	/** Makes it anew for each try; throws where that cannot be done, and then there is no other try. */
	open(): ReadableStream<Uint8Array>;
	/** `content-type` */
	readonly type: string;
	/** Redirect mode of its request, by what the platform does with such bodies. Default `manual`. */
	readonly redirect?: "manual" | "error";
}

/** Progress of an upload, in bytes. */
export interface UploadProgress {
	readonly loaded: number;
	/** `undefined` while it is not known: streams do not tell their length. */
	readonly total: number | undefined;
}

/** An answer whose body is still to be read. */
export interface OpenResponse {
	readonly requestId: string;
	readonly status: number;
	/** Returns a response header; empty where there is none of that name, or where it is not exposed. */
	header(name: string): string;
	/** `content-type` says JSON. */
	readonly isJson: boolean;
	/** The whole body. */
	json<Body extends object>(): Promise<WithRequestId<Body>>;
	/** The next piece; `undefined` after the last. The whole body is one piece where `fetch` cannot stream. */
	read(): Promise<Uint8Array | string | undefined>;
	close(): void;
}
