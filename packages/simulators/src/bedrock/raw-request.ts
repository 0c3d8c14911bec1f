import type { IncomingHttpHeaders } from "node:http";

/** A request as it came in, before anything of it is believed. */
export interface RawRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}
