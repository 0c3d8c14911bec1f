import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { bodyIncomplete, bodyTooLarge, HttpError } from "./http-error";
import type { HttpRequest } from "./http-exchange";

/** A request as Node has it. */
export class NodeRequest implements HttpRequest {
	readonly path: string;
	readonly query: string;
	readonly #message: IncomingMessage;
	readonly #response: ServerResponse;

	/** @throws HttpError for an address or a host that is none. */
	constructor(message: IncomingMessage, response: ServerResponse) {
		const { url = "", headers } = message;
		demandHost(headers.host ?? "");
		const target = url.startsWith("/") ? url : readAbsolute(url);
		const queryAt = target.indexOf("?");
		this.path = queryAt < 0 ? target : target.slice(0, queryAt);
		this.query = queryAt < 0 ? "" : target.slice(queryAt + 1);
		this.#message = message;
		this.#response = response;
	}

	get method(): string {
		return this.#message.method ?? "GET";
	}

	header(name: string): string | undefined {
		const value = this.#message.headers[name];
		return typeof value === "object" ? value.join(", ") : value;
	}

	readBody(mostBytes: number): Promise<Uint8Array> {
		const message = this.#message;
		return new Promise((resolve, reject) => {
			const chunks: Buffer[] = [];
			let length = 0;
			message.on("data", (chunk: Buffer) => {
				length += chunk.length;
				if (length > mostBytes) reject(bodyTooLarge());
				else chunks.push(chunk);
			});
			message.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
			message.on("close", () => {
				if (!message.complete) reject(bodyIncomplete());
			});
		});
	}

	onGone(listener: () => void): () => void {
		const response = this.#response;
		response.on("close", listener);
		if (response.closed) listener();
		return () => response.off("close", listener);
	}

	toWeb(): Request {
		const { method } = this;
		const { headers, rawHeaders, url = "" } = this.#message;
		const controller = new AbortController();
		this.#response.on("close", () => controller.abort());
		const hasBody = method !== "GET" && method !== "HEAD";
		return new Request(url.startsWith("/") ? `http://${headers.host}${url}` : url, {
			method,
			headers: toPairs(rawHeaders),
			signal: controller.signal,
			// The types of Node know no other streams than its own, which are the same.
			...(hasBody ? { body: Readable.toWeb(this.#message) as ReadableStream, duplex: "half" } : {}),
		});
	}
}

function toPairs(rawHeaders: readonly string[]): [string, string][] {
	const pairs: [string, string][] = [];
	for (let index = 0; index < rawHeaders.length; index += 2)
		pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
	return pairs;
}

/** Of the last request: clients write the same host again and again. */
let knownHost = "";

/** What is written otherwise than an address has it could be read otherwise elsewhere. */
function demandHost(host: string): void {
	if (host === knownHost && host !== "") return;
	const { host: read, port } = parse(`http://${host}`);
	if (read !== host && !(port === "" && host === `${read}:80`)) throw notValid();
	knownHost = host;
}

function readAbsolute(target: string): string {
	const { protocol, pathname, search } = parse(target);
	if (protocol !== "http:" && protocol !== "https:") throw notValid();
	return pathname + search;
}

function parse(url: string): URL {
	try {
		return new URL(url);
	} catch {
		throw notValid();
	}
}

const notValid = (): HttpError =>
	new HttpError(400, "The request's address or host is not valid.", { code: "invalid_request" });
