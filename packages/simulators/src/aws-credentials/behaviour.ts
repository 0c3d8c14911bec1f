/** What a stand-in does with a request that it took. */
export type Behaviour = DefaultReply | RawResponse | Silence;

/** What the service does: gives a token, a name or keys. */
export interface DefaultReply {
	readonly kind: "default";
	/** Fields of the keys that differ; undefined ones are left out. */
	readonly fields?: Readonly<Record<string, string | undefined>>;
}

/** Any answer at all: an error, half a JSON. */
export interface RawResponse {
	readonly kind: "raw";
	/** Default 200. */
	readonly status?: number;
	readonly body: string;
}

/** Takes the request and never answers. */
export interface Silence {
	readonly kind: "silence";
}
