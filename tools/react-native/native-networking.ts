import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** Sends an event to the app, as native modules do. */
export type Emit = (event: string, args: readonly unknown[]) => void;

/** What has come as a `Blob`, by its id. */
export type Blobs = Map<string, Buffer>;

/** What the app's `XMLHttpRequest` asks for. */
type ResponseType = "text" | "base64" | "blob";

/** `NetworkingModule` of Android over `node:http`: answers come as events, in pieces as text alone. */
export function createNetworking(emit: Emit, blobs: Blobs): object {
	const requests = new Map<number, ClientRequest>();

	async function deliver(response: IncomingMessage, id: number, type: ResponseType, isIncremental: boolean) {
		emit("didReceiveNetworkResponse", [id, response.statusCode, toHeaders(response.headers), ""]);
		if (isIncremental && type === "text") await deliverPieces(response, id);
		else emit("didReceiveNetworkData", [id, toData(await buffer(response), id, type)]);
		emit("didCompleteNetworkResponse", [id, null, false]);
	}

	async function deliverPieces(response: IncomingMessage, id: number): Promise<void> {
		let received = 0;
		response.setEncoding("utf8");
		for await (const text of response) {
			received += text.length;
			emit("didReceiveNetworkIncrementalData", [id, text, received, -1]);
		}
	}

	function toData(body: Buffer, id: number, type: ResponseType): unknown {
		if (type !== "blob") return body.toString(type === "text" ? "utf8" : "base64");
		const blobId = `blob-${id}`;
		blobs.set(blobId, body);
		return { blobId, offset: 0, size: body.length };
	}

	return {
		addListener: () => undefined,
		removeListeners: () => undefined,
		sendRequest(
			method: string,
			url: string,
			id: number,
			headers: readonly (readonly [name: string, value: string])[],
			data: { readonly string?: string },
			type: ResponseType,
			isIncremental: boolean,
		): void {
			const sent = request(url, { method, headers: Object.fromEntries(headers) });
			const fail = ({ message }: Error): void => {
				if (requests.delete(id)) emit("didCompleteNetworkResponse", [id, message, false]);
			};
			sent.on("error", fail);
			sent.on("response", (response) => {
				deliver(response, id, type, isIncremental).then(() => requests.delete(id), fail);
			});
			requests.set(id, sent);
			sent.end(data.string);
		},
		abortRequest(id: number): void {
			const sent = requests.get(id);
			requests.delete(id);
			sent?.destroy();
		},
	};
}

const toHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
