import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Blobs, encodeBody, type NativeBody } from "./native-request-body";

/** Sends an event to the app, as native modules do. */
export type Emit = (event: string, args: readonly unknown[]) => void;

/** What the app's `XMLHttpRequest` asks for. */
type ResponseType = "text" | "base64" | "blob";

/** A request that came over `XMLHttpRequest`, and what became of it. */
export interface NetworkRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Someone listens to its progress: text is delivered as it comes. */
	readonly isIncremental: boolean;
	/** How long each piece of text was that the app got. */
	readonly pieces: readonly number[];
	readonly end: "completed" | "failed" | "aborted" | undefined;
}

/** `NetworkingModule` of Android: the app chooses the id of a request. */
interface AndroidNetworking {
	addListener(): void;
	removeListeners(): void;
	sendRequest(
		method: string,
		url: string,
		id: number,
		headers: readonly (readonly [name: string, value: string])[],
		data: NativeBody,
		type: ResponseType,
		isIncremental: boolean,
	): void;
	abortRequest(id: number): void;
}

/** What the app asks of the module of iOS. */
interface IosQuery {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly data: NativeBody;
	readonly responseType: ResponseType;
	readonly incrementalUpdates: boolean;
}

export interface NativeNetworking {
	/** Over `node:http`: answers come as events, in pieces as text alone. */
	readonly module: AndroidNetworking;
	/** All that the app has sent, in order. */
	readonly requests: readonly NetworkRequest[];
}

/** A request under way. */
interface Exchange {
	readonly id: number;
	readonly type: ResponseType;
	readonly record: Omit<NetworkRequest, "end" | "pieces"> & { end: NetworkRequest["end"]; pieces: number[] };
	sent?: ClientRequest;
}

const PROGRESS_BYTES = 16_384;

export function createNetworking(emit: Emit, blobs: Blobs): NativeNetworking {
	const exchanges = new Map<number, Exchange>();
	const requests: NetworkRequest[] = [];

	/** The app is told of the end once, and not at all of what it has aborted. */
	function finish({ id, record }: Exchange, end: "completed" | "failed", error: string | null): void {
		if (!exchanges.delete(id)) return;
		record.end = end;
		emit("didCompleteNetworkResponse", [id, error, false]);
	}

	async function send(exchange: Exchange, data: NativeBody): Promise<void> {
		const { id, record } = exchange;
		const body = await encodeBody(data, blobs);
		const headers = { ...record.headers, ...(body?.type === undefined ? {} : { "content-type": body.type }) };
		if (record.end !== undefined) return;
		const sent = request(record.url, { method: record.method, headers });
		exchange.sent = sent;
		const fail = ({ message }: Error): void => finish(exchange, "failed", message);
		sent.on("error", fail);
		sent.on("response", (response) => {
			deliver(exchange, response).then(() => finish(exchange, "completed", null), fail);
		});
		const total = body?.bytes.length ?? 0;
		for (let start = 0; start < total; start += PROGRESS_BYTES) {
			const end = Math.min(start + PROGRESS_BYTES, total);
			sent.write(body?.bytes.subarray(start, end), () => emit("didSendNetworkData", [id, end, total]));
		}
		sent.end();
	}

	async function deliver({ id, type, record }: Exchange, response: IncomingMessage): Promise<void> {
		emit("didReceiveNetworkResponse", [id, response.statusCode, toHeaders(response.headers), record.url]);
		if (record.isIncremental) {
			let received = 0;
			response.setEncoding("utf8");
			for await (const text of response) {
				if (record.end === "aborted") return;
				received += text.length;
				record.pieces.push(text.length);
				emit("didReceiveNetworkIncrementalData", [id, text, received, -1]);
			}
		} else emit("didReceiveNetworkData", [id, toData(await buffer(response), id, type)]);
	}

	function toData(body: Buffer, id: number, type: ResponseType): unknown {
		if (type !== "blob") return body.toString(type === "text" ? "utf8" : "base64");
		const blobId = `blob-${id}`;
		blobs.set(blobId, body);
		return { blobId, offset: 0, size: body.length };
	}

	const module: AndroidNetworking = {
		addListener: () => undefined,
		removeListeners: () => undefined,
		sendRequest(method, url, id, headers, data, type, isIncremental) {
			const asked = { method, url, headers: Object.fromEntries(headers) };
			// Others than text come whole, whoever listens.
			const record: Exchange["record"] = {
				...asked,
				isIncremental: isIncremental && type === "text",
				pieces: [],
				end: undefined,
			};
			const exchange: Exchange = { id, type, record };
			exchanges.set(id, exchange);
			requests.push(record);
			send(exchange, data).catch(({ message }: Error) => finish(exchange, "failed", message));
		},
		abortRequest(id) {
			const exchange = exchanges.get(id);
			if (exchange === undefined) return;
			exchanges.delete(id);
			exchange.record.end = "aborted";
			exchange.sent?.destroy();
		},
	};
	return { module, requests };
}

/** The same as iOS has it: the module chooses the id of a request, and tells it a moment later. */
export function toIosModule(android: AndroidNetworking): object {
	let lastId = 0;
	return {
		...android,
		sendRequest(query: IosQuery, onId: (id: number) => void): void {
			lastId += 1;
			const id = lastId;
			queueMicrotask(() => {
				onId(id);
				const { method, url, headers, data, responseType, incrementalUpdates } = query;
				android.sendRequest(method, url, id, Object.entries(headers), data, responseType, incrementalUpdates);
			});
		},
	};
}

const toHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
