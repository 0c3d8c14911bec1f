import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Emit } from "./native-networking";

/** What `body-stream-fetch.js` asks for. */
interface BodyStreamRequest {
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** A native module as `expo/fetch` has one: bodies come in pieces of bytes, cut anywhere. */
export function createBodyStreams(emit: Emit): object {
	const requests = new Map<number, ClientRequest>();

	async function deliver(id: number, response: IncomingMessage): Promise<void> {
		emit("bodyStreamResponse", [id, response.statusCode, response.headers]);
		for await (const bytes of response) {
			const middle = Math.ceil(bytes.length / 2);
			for (const piece of [bytes.subarray(0, middle), bytes.subarray(middle)])
				emit("bodyStreamData", [id, piece.toString("base64")]);
		}
		emit("bodyStreamEnd", [id, null]);
	}

	return {
		send(id: number, url: string, init: string): void {
			const { method, headers, body }: BodyStreamRequest = JSON.parse(init);
			const sent = request(url, { method, headers });
			const fail = ({ message }: Error): void => emit("bodyStreamEnd", [id, message]);
			sent.on("error", fail);
			sent.on("response", (response) => void deliver(id, response).catch(fail));
			requests.set(id, sent);
			sent.end(body);
		},
		cancel: (id: number): void => void requests.get(id)?.destroy(),
	};
}
