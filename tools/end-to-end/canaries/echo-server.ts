import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createMcpHandler, text as say } from "@stemma/simulators/rpc";

/** A server of somebody else: it has a tool, takes news of tasks, and repeats what it is authorised with. */
export interface CanaryEcho {
	readonly url: string;
	/** The headers of all requests. */
	receivedHeaders(): string;
	close(): Promise<void>;
}

export async function startCanaryEcho(): Promise<CanaryEcho> {
	let receivedHeaders = "";
	const server = createServer(async (request, response) => {
		const { method = "", url: path = "", headers } = request;
		receivedHeaders += JSON.stringify(headers);
		const rpc = JSON.parse((await text(request)) || "{}");
		if (rpc.jsonrpc === undefined) return void response.writeHead(204).end();
		const words = `You sent ${headers.authorization}.`;
		const tools = [{ name: "look", description: words }];
		const isError = rpc.params?.arguments?.fail === true;
		const speak = createMcpHandler({ era: "modern", tools, call: () => ({ ...say(words), isError }) });
		await speak({ method, path, headers, rpc, isAborted: false }, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		receivedHeaders: () => receivedHeaders,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
