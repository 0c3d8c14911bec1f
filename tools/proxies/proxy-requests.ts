import { Agent, type RequestOptions, request } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RunningProxy } from "./start-proxy";

export interface Reply {
	readonly status: number;
	/** Pieces of the body as they come. */
	readonly pieces: AsyncIterable<Buffer>;
}

export interface RequestParts {
	readonly headers?: object;
	readonly body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Sends requests with a credential to a proxy, whose certificate nobody has signed. */
export interface ProxyRequests {
	send(method: string, path: string, parts?: RequestParts): Promise<Reply>;
	sendJson(path: string, json: object): Promise<Reply>;
}

export function createProxyRequests(
	{ url }: Pick<RunningProxy, "url">,
	authorization: string,
): ProxyRequests {
	const { port } = new URL(url);
	function send(method: string, path: string, { headers = {}, body = [] }: RequestParts = {}) {
		const options: RequestOptions = {
			...{ host: "127.0.0.1", port, servername: "localhost", method, path },
			headers: { host: `localhost:${port}`, authorization, ...headers },
			agent: new Agent({ rejectUnauthorized: false }),
		};
		return new Promise<Reply>((resolve, reject) => {
			const sent = request(options, (response) =>
				resolve({ status: response.statusCode ?? 0, pieces: response }),
			);
			sent.on("error", reject);
			pipeline(Readable.from(body), sent).catch(reject);
		});
	}
	return {
		send,
		sendJson: (path, json) =>
			send("POST", path, {
				headers: { "content-type": "application/json" },
				body: [Buffer.from(JSON.stringify(json))],
			}),
	};
}

export async function readText({ pieces }: Reply): Promise<string> {
	let text = "";
	for await (const piece of pieces) text += piece;
	return text;
}

/** Gets an access token from a service itself. @returns the header that carries it. */
export async function fetchAuthorization(
	url: string,
	{ client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
): Promise<string> {
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const { access_token } = await (await fetch(`${url}/oauth/token`, { method: "POST", body })).json();
	return `Bearer ${access_token}`;
}
