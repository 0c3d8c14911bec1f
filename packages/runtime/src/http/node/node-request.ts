import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { BodyCollector, type MainThreadQueue } from "@stemma/protocol";
import { bodyIncomplete } from "../http-error";
import type { HttpRequest } from "../http-exchange";
import type { BodyShare } from "../request/body-budget";

/** Parts of the server that a request needs. */
export interface NodeRequestParts {
	/** Counts the body; whoever opened it releases it. */
	readonly share: BodyShare;
	/** Turns of the callers. */
	readonly turns: MainThreadQueue;
	/** Address of the client, which takes them. */
	readonly caller: string;
}

/** Bytes of a body that is read and checked in no time. */
const MAX_QUICK_BODY_BYTES = 16 * 1024;

/** A request as Node has it. */
export class NodeRequest implements HttpRequest {
	readonly path: string;
	readonly query: string;
	readonly #message: IncomingMessage;
	readonly #response: ServerResponse;
	readonly #parts: NodeRequestParts;

	/** @param message - with a target that is a path, as the server has made it. */
	constructor(message: IncomingMessage, response: ServerResponse, parts: NodeRequestParts) {
		const { url = "" } = message;
		const queryAt = url.indexOf("?");
		this.path = queryAt < 0 ? url : url.slice(0, queryAt);
		this.query = queryAt < 0 ? "" : url.slice(queryAt + 1);
		this.#message = message;
		this.#response = response;
		this.#parts = parts;
	}

	get method(): string {
		return this.#message.method ?? "GET";
	}

	header(name: string): string | undefined {
		const value = this.#message.headers[name];
		return typeof value === "object" ? value.join(", ") : value;
	}

	start(): Promise<void> {
		return this.#parts.turns.start(this.#parts.caller);
	}

	async readBody(maxBytes: number): Promise<Uint8Array> {
		const body = await this.#collect(maxBytes);
		if (body.length > MAX_QUICK_BODY_BYTES) await this.#parts.turns.wait(this.#parts.caller);
		return body;
	}

	#collect(maxBytes: number): Promise<Uint8Array> {
		const message = this.#message;
		const { share } = this.#parts;
		const body = new BodyCollector(maxBytes);
		return new Promise((resolve, reject) => {
			function onData(chunk: Buffer): void {
				try {
					share.add(chunk.length);
					body.add(chunk);
				} catch (error) {
					message.off("data", onData);
					body.clear();
					reject(error);
				}
			}
			message.on("data", onData);
			message.on("end", () => resolve(body.toBytes()));
			message.on("close", () => {
				if (!message.complete) reject(bodyIncomplete());
			});
		});
	}

	onDisconnect(listener: () => void): () => void {
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
			...(hasBody ? { body: toBody(this.#message, this.#parts), duplex: "half" } : {}),
		});
	}
}

/** Body as a stream that can be left: cancelling Node's own would destroy the connection, and the answer with it. */
function toBody(
	message: IncomingMessage,
	{ share, turns, caller }: NodeRequestParts,
): ReadableStream<Uint8Array> {
	let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
	let length = 0;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				// The types of Node know no other streams than its own, which are the same.
				reader ??= (Readable.toWeb(message) as ReadableStream<Uint8Array>).getReader();
				const { done, value } = await reader.read();
				if (done) {
					if (length > MAX_QUICK_BODY_BYTES) await turns.wait(caller);
					return controller.close();
				}
				length += value.byteLength;
				share.add(value.byteLength);
				controller.enqueue(value);
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
