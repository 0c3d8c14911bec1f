import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { WireRunEvent } from "@stemma/client";
import { completed, started } from "@stemma/simulators/run-events";

export interface StubRequest {
	readonly route: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** A stand-in for a service on a real port: tokens, one agent (`ag_1`), and a chat model that always says the same. */
export async function startServiceStub(
	port = 0,
	text = "From the service.",
): Promise<{
	readonly url: string;
	readonly requests: StubRequest[];
	/** What the token endpoint answers with instead of a token: a status; 0 for a token. */
	refuseCredentials(status: number): void;
	/** Adds an agent, for `GET /v1/agents/:id`. */
	addAgent(id: string): void;
	close(): void;
}> {
	const requests: StubRequest[] = [];
	const responses: Record<string, readonly [type: string, body: string]> = {
		...RESPONSES,
		"POST /v1/chat/completions": [
			"text/event-stream",
			toChunks(text)
				.map((chunk) => sse(chunk))
				.join("") + sse("[DONE]"),
		],
	};
	let refusal = 0;
	const server: Server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		const route = `${request.method} ${request.url}`;
		requests.push({ route, headers: request.headers, body });
		if (refusal !== 0 && route === "POST /oauth/token") {
			response.writeHead(refusal, { "content-type": "application/json" }).end(INVALID_CLIENT);
			return;
		}
		const [type, answer] = responses[route] ?? ["404", NOT_FOUND];
		response.writeHead(type === "404" ? 404 : 200, {
			"content-type": type === "404" ? "application/json" : type,
		});
		response.end(answer);
	});
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	const { port: bound } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${bound}`,
		requests,
		refuseCredentials(status) {
			refusal = status;
		},
		addAgent(id) {
			responses[`GET /v1/agents/${id}`] = AGENT;
		},
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

const INVALID_CLIENT = '{"error":{"code":"invalid_client","message":"No such client.","request_id":"r"}}';
const AGENT = ["application/json", '{"id":"ag_1","slug":"far"}'] as const;
const NOT_FOUND = '{"error":{"code":"agent_not_found","message":"No such agent.","request_id":"r"}}';

const sse = (data: object | string, event?: WireRunEvent): string =>
	`${event === undefined ? "" : `id: ${event.seq}\nevent: ${event.type}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

const RUN: readonly WireRunEvent[] = [
	{ ...started("run_stub"), run_token: "run-t0ken" } as WireRunEvent,
	completed("run_stub", 2, "From afar."),
];

const CHUNK = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };

const toChunks = (content: string): readonly object[] => [
	{ ...CHUNK, choices: [{ index: 0, delta: { role: "assistant", content } }] },
	{ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
	{
		...CHUNK,
		choices: [],
		usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
		stemma: { receipt: [] },
	},
];

const RESPONSES: Readonly<Record<string, readonly [type: string, body: string]>> = {
	"POST /oauth/token": [
		"application/json",
		'{"access_token":"t","token_type":"bearer","expires_in":900,"scope":"ask agents:run"}',
	],
	"GET /v1/agents?limit=1": ["application/json", '{"data":[],"next_cursor":null}'],
	"GET /v1/agents/ag_1": AGENT,
	"POST /v1/agents/ag_1/run": ["text/event-stream", RUN.map((event) => sse(event, event)).join("")],
	"POST /v1/models/resolve": [
		"application/json",
		'{"data":[{"node":"desk","provider":"stub","model":"stub","vendor_host":"","payer":"none","reason":"It is a stub."}]}',
	],
};
