import { BodyCollector, onAbort, WebEventSink } from "@stemma/protocol";
import { EventReader } from "../event-reader";
import { bodyIncomplete } from "../http-error";
import type { HttpHandler, HttpRequest, HttpResponse, RunEvents } from "../http-exchange";

/** A handler as the web standard has them: for Bun, Deno and Workers, and for whoever has a server of their own. */
export const toWebHandler =
	(handle: HttpHandler): ((request: Request) => Promise<Response>) =>
	async (request) =>
		toResponse(await handle(new WebRequest(request)), request.method);

function toResponse({ status, headers, body }: HttpResponse, method: string): Response {
	if (method === "HEAD") return new Response(null, { status, headers });
	const isEvents = typeof body === "object" && body !== null && "run" in body;
	return new Response(isEvents ? toWebStream(body) : body, { status, headers });
}

function toWebStream(events: RunEvents): ReadableStream<Uint8Array> {
	const sink = new WebEventSink();
	sink.start(new EventReader(events, sink));
	return sink.stream;
}

class WebRequest implements HttpRequest {
	readonly path: string;
	readonly query: string;
	readonly #request: Request;

	constructor(request: Request) {
		const { pathname, search } = new URL(request.url);
		this.path = pathname;
		this.query = search.slice(1);
		this.#request = request;
	}

	get method(): string {
		return this.#request.method;
	}

	header(name: string): string | undefined {
		const { headers, url } = this.#request;
		// A request that came over no connection names its host in its address alone.
		return headers.get(name) ?? (name === "host" ? new URL(url).host : undefined);
	}

	start(): Promise<void> {
		return Promise.resolve();
	}

	async readBody(maxBytes: number): Promise<Uint8Array> {
		const body = new BodyCollector(maxBytes);
		const reader = this.#request.body?.getReader();
		const read = () => reader?.read().catch(onTruncatedBody);
		try {
			for (let next = await read(); next?.done === false; next = await read()) body.add(next.value);
			return body.toBytes();
		} catch (error) {
			await reader?.cancel();
			throw error;
		}
	}

	onDisconnect(listener: () => void): () => void {
		return onAbort(this.#request.signal, listener);
	}

	toWeb(): Request {
		return this.#request;
	}
}

/** Throws for a truncated body; no client is left to receive the answer. */
function onTruncatedBody(): never {
	throw bodyIncomplete();
}
