import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { bodyIncomplete, bodyTooLarge } from "./http-error";
import type { HttpRequest } from "./http-exchange";

/** A request as Node has it. */
export class NodeRequest implements HttpRequest {
	readonly path: string;
	readonly query: string;
	readonly #message: IncomingMessage;
	readonly #response: ServerResponse;

	/** @param message - with a target that is a path, as the server has made it. */
	constructor(message: IncomingMessage, response: ServerResponse) {
		const { url = "" } = message;
		const queryAt = url.indexOf("?");
		this.path = queryAt < 0 ? url : url.slice(0, queryAt);
		this.query = queryAt < 0 ? "" : url.slice(queryAt + 1);
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
		return new Request(`http://${headers.host}${url}`, {
			method,
			headers: toPairs(rawHeaders),
			signal: controller.signal,
			...(hasBody ? { body: toBody(this.#message), duplex: "half" } : {}),
		});
	}
}

/** Body as a stream that can be left: cancelling Node's own would destroy the connection, and the answer with it. */
function toBody(message: IncomingMessage): ReadableStream<Uint8Array> {
	let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				// The types of Node know no other streams than its own, which are the same.
				reader ??= (Readable.toWeb(message) as ReadableStream<Uint8Array>).getReader();
				const { done, value } = await reader.read();
				if (done) controller.close();
				else controller.enqueue(value);
			},
		},
		{ highWaterMark: 0 },
	);
}

function toPairs(rawHeaders: readonly string[]): [string, string][] {
	const pairs: [string, string][] = [];
	for (let index = 0; index < rawHeaders.length; index += 2)
		pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
	return pairs;
}
