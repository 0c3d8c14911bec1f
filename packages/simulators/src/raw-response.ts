import type { ServerResponse } from "node:http";

/** Any bytes at all: HTML of a proxy, half a JSON, the odd streams of other vendors. */
export interface RawResponse {
	readonly kind: "raw";
	/** Default 200. */
	readonly status?: number;
	/** Default content type: `application/json`. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: string | Uint8Array;
}

/** Takes the request and never answers. */
export interface Silence {
	readonly kind: "silence";
}

export function sendRaw(response: ServerResponse, { status = 200, headers, body }: RawResponse): void {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(body);
}
