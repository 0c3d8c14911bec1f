import { createMcpClient, type McpClient, type McpClientOptions } from "@stemma/client/mcp";
import { createHarness } from "@stemma/simulators/processes";
import { isInstalled, type Peer, type ReceivedMessage, startPeer } from "./peers";

/** Official MCP servers of SDK v1 and v2, and clients of ours for their endpoints. */
export interface McpFixture {
	open(): Promise<void>;
	close(): Promise<void>;
	/** @param endpoint - the server and the path: `v1/sse`. */
	connect(endpoint: string, options?: Omit<McpClientOptions, "url">): RecordingClient;
	/** What came to an endpoint. */
	received(endpoint: string): Promise<readonly ReceivedMessage[]>;
	/** How often the server of an endpoint has told of this, whoever made it do so. */
	countEvents(endpoint: string, event: string): Promise<number>;
}

export interface RecordingClient extends McpClient {
	/** The requests of this client. */
	sent(): Promise<readonly ReceivedMessage[]>;
	/** … with this method. */
	count(rpc: string): Promise<number>;
}

/** They have no session, or one that a header names; some answer with streams, some with JSON. */
export const LEGACY = ["v1/sse", "v1/json", "v1/resumes", "v1/answers-all", "v1/slow", "v1/stateless"];
export const MODERN = ["v2/both", "v2/modern", "v2/sse", "v2/json"];

export function createMcpFixture(): McpFixture {
	const harness = createHarness();
	const peers = new Map<string, Peer>();
	let clients = 0;

	function find(endpoint: string): { readonly peer: Peer; readonly path: string } {
		const [version = "", path] = endpoint.split("/");
		const peer = peers.get(version);
		if (peer === undefined) throw new Error(`The server ${version} does not run.`);
		return { peer, path: `/${path}` };
	}

	async function received(endpoint: string): Promise<readonly ReceivedMessage[]> {
		const { peer, path } = find(endpoint);
		return peer.received(path);
	}

	return {
		async open() {
			if (!isInstalled) return;
			const start = async (version: string) =>
				peers.set(version, await startPeer(harness, `mcp-server-${version}`));
			await Promise.all([start("v1"), start("v2")]);
		},
		close: () => harness.end(),
		connect(endpoint, options = {}) {
			clients += 1;
			const name = `client-${clients}`;
			const { peer, path } = find(endpoint);
			const headers = { "x-client": name };
			const client = createMcpClient({ ...options, url: `${peer.url}${path}`, headers, retryDelayMs: 20 });
			const sent = async () =>
				(await received(endpoint)).filter((entry) => entry.headers?.["x-client"] === name);
			return {
				...client,
				sent,
				count: async (method) => (await sent()).filter(({ rpc }) => rpc === method).length,
			};
		},
		received,
		async countEvents(endpoint, event) {
			const all = await find(endpoint).peer.received();
			return all.filter((entry) => entry.event === event).length;
		},
	};
}

/** Of the tool `add`: what it is called with, and what it gives. */
export const ADD = { a: 1, b: 2 };
export const SUM = {
	status: "complete",
	isError: false,
	content: [{ type: "text", text: "3" }],
	structuredContent: { sum: 3 },
};
