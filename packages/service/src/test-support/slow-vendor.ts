import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A vendor of OpenAI's format that thinks about its answer for as long as a test wants. */
export interface SlowVendor {
	/** `http://127.0.0.1:<port>/v1` */
	readonly url: string;
	/** Resolves when it was asked, and has begun to answer. */
	requested(): Promise<void>;
	/** Says these, and ends all answers that it has begun. */
	finish(texts: readonly string[]): void;
	close(): Promise<void>;
}

export async function startSlowVendor(): Promise<SlowVendor> {
	const open: ServerResponse[] = [];
	let onRequest = (): void => undefined;
	const requested = new Promise<void>((resolve) => {
		onRequest = resolve;
	});
	const server = createServer((request, response) => {
		request.resume();
		response.writeHead(200, { "content-type": "text/event-stream" });
		sendDelta(response, { role: "assistant", content: "" });
		open.push(response);
		onRequest();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requested: () => requested,
		finish(texts) {
			for (const response of open.splice(0)) {
				for (const content of texts) sendDelta(response, { content });
				sendDelta(response, {}, "stop");
				response.end("data: [DONE]\n\n");
			}
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function sendDelta(response: ServerResponse, delta: object, finish_reason: string | null = null): void {
	const chunk = {
		id: "chatcmpl-1",
		object: "chat.completion.chunk",
		created: 0,
		model: "slow",
		choices: [{ index: 0, delta, finish_reason }],
	};
	response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
