/** Item of a source, as it was at its last sync. */
export interface KnownItem {
	readonly key: string;
	/** Version as the connector gave it: ETag, date, hash. `null`: it gave none. */
	readonly version: string | null;
}

/** Item that a source has now. Its key is its name within the source: an address, or a path. */
export type SourceItem = UnchangedItem | ContentItem | FailedItem | SkippedItem;

/** Item whose document needs no work. */
export interface UnchangedItem {
	readonly kind: "unchanged";
	readonly key: string;
}

/** Item with its content, which may turn out to be what the document has already. */
export interface ContentItem {
	readonly kind: "content";
	readonly key: string;
	/** Text that tells the connector at the next sync whether the item has changed. `null`: its content decides. */
	readonly version: string | null;
	/** Name by which the format is found. */
	readonly fileName: string;
	/** `null`: found in the text. */
	readonly title: string | null;
	/** Address that a person opens; shown as the document's `source`. `null`: the key. */
	readonly url: string | null;
	/** Format of an item whose name says none. */
	readonly mediaType: string | null;
	/** A stream is read before the next item is asked for. */
	readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
}

/** Item that could not be read now: its document stays as it was. */
export interface FailedItem {
	readonly kind: "failed";
	readonly key: string;
	readonly code: string;
	readonly message: string;
}

/** Item that is left out, such as one that robots.txt forbids, or that is too large. It has no document. */
export interface SkippedItem {
	readonly kind: "skipped";
	readonly key: string;
	readonly code: string;
	readonly message: string;
}

/** Options of one request. */
export interface SourceRequest {
	readonly headers?: Readonly<Record<string, string>>;
	/** Redirects to follow; 0: the redirect is the response. Default 10. */
	readonly maxRedirects?: number;
	/** Maximum size of the body, after decompression. Default: that of an item. */
	readonly maxBytes?: number;
}

/** Response, with the address that it came from after redirects. */
export interface SourceResponse {
	readonly url: string;
	readonly status: number;
	readonly headers: Headers;
	/** Fails with a SourceError where it is larger than allowed, or does not end in time. To be read, or cancelled. */
	readonly body: ReadableStream<Uint8Array> | null;
}

/**
 * Sends a GET request through the outbound gate, which checks each redirect, too. Another origin gets no `authorization` and
 * no `cookie`. Status 429 and 503 are retried as `retry-after` says, for a minute at the most.
 *
 * @throws SourceError `blocked_address`, `too_many_redirects`, `redirect_invalid`, `timeout`, `unreachable`; where the signal
 * of the scan was aborted, its reason.
 */
export type SourceFetch = (url: string, request?: SourceRequest) => Promise<SourceResponse>;

export interface ScanLimits {
	/** Maximum number of items of a source, of all kinds. More of them fail the sync. */
	readonly maxItems: number;
	/** Maximum size of one item. Larger ones are skipped with `too_large`. */
	readonly maxItemBytes: number;
	/** Time in which the content of one item has to be complete, in milliseconds. */
	readonly maxItemMs: number;
}

/** Surroundings of a scan: all that a connector may reach. */
export interface ScanContext {
	/** Finds an item of the last sync. `undefined` where it is new, or where its document is gone. */
	find(key: string): Promise<KnownItem | undefined>;
	/** State that the last complete scan has stored; `null`: none, or something of that scan has to be looked at again. */
	readonly state: string | null;
	/**
	 * Sets the state that is stored once the scan is complete, for the next one. It is not stored where an item was skipped or
	 * has failed, so that the next scan looks at it again.
	 */
	setState(state: string): void;
	/** Counts all items of the last sync as unchanged, in place of naming each. Only for a scan with a `state`. */
	markAllUnchanged(): Promise<void>;
	/** Checks whether the service reads files of this name, or of this media type. */
	isDocument(fileName: string, mediaType?: string): boolean;
	readonly fetch: SourceFetch;
	/**
	 * Value of the secret that the source names, for the server that it is sent to.
	 *
	 * @returns `undefined` where the source names none.
	 * @throws ConfigurationError `secret_missing` where it was not stored for exactly this address.
	 */
	readCredential(serverUrl: string): Promise<string | undefined>;
	readonly limits: ScanLimits;
	/** Aborts when the sync was cancelled, its source deleted, or the service stops. */
	readonly signal: AbortSignal;
}

/** One kind of source. */
export interface Connector<Settings> {
	/**
	 * Lists the items of a source, each key once. A scan that ends is complete: the documents of items that it has not named
	 * are deleted. A scan that throws is not, and deletes nothing.
	 *
	 * @throws SourceError for what a person can mend.
	 */
	scan(settings: Settings, context: ScanContext): AsyncIterable<SourceItem>;
}
