import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { startServer } from "../start-server.ts";

/** Where redirects lead: it takes whatever it is sent, and writes it down. */
export interface OtherOrigin {
	readonly origin: string;
	readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly text: string }[];
	close(): Promise<void>;
}

export async function startOtherOrigin(): Promise<OtherOrigin> {
	const requests: { headers: IncomingHttpHeaders; text: string }[] = [];
	const server = await startServer(0, async (request, response) => {
		requests.push({ headers: request.headers, text: await text(request) });
		response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"stolen"}');
	});
	return { origin: server.origin, requests, close: server.close };
}
