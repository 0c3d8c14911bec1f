import { ApiError, ConnectionError } from "@stemma/client";
import type { AgentGraph, AgentNode, ChatModel } from "@stemma/core";
import {
	createA2aHandler,
	type RequestHandler,
	sendJson,
	submitted,
	useRpcServer,
} from "@stemma/simulators/rpc";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createLocalAgent, type LocalAgentOptions, remoteAgents } from "./index";

const server = useRpcServer();
afterEach(() => vi.unstubAllEnvs());

const VALUE = "a-value-that-nobody-is-told";

const model: ChatModel = {
	provider: "silent",
	model: "s",
	vendorHost: "",
	generate: () => Promise.reject(new Error("not used")),
	async *stream() {
		yield { type: "finish", reply: { text: "Go on.", toolCalls: [], finishReason: "stop" } };
	},
};

/** All ways out of a graph. */
const NODES = {
	"an MCP server": (address: string): AgentNode => ({
		id: "far",
		kind: "tool",
		tool: "refund",
		server: address,
	}),
	"an A2A agent": (address: string): AgentNode => ({ id: "far", kind: "remote", url: address }),
};

interface Failure {
	readonly code: string;
	readonly message: string;
	readonly hint?: string;
}

/** What is told of a run whose node leads there. */
async function fail(node: AgentNode, options: Partial<LocalAgentOptions> = {}): Promise<Failure> {
	const graph: AgentGraph = {
		nodes: [{ id: "desk", kind: "coordinator" }, node],
		edges: [{ from: "desk", to: "far", ...(node.kind === "remote" && { mode: "then" as const }) }],
	};
	const ports = { models: { resolve: () => ({ model, payer: "none" as const, reason: "In the test." }) } };
	const { message, code, hint } = await createLocalAgent(graph, { ports, ...options })
		.run({ input: "Hello?" })
		.then(
			() => expect.unreachable(),
			(error) => error,
		);
	return {
		code,
		hint,
		message: message.replace(/^(No tool for "far"|"far", which runs after "desk", failed): /, ""),
	};
}

const respondWithStatus =
	(status: number, headers: Readonly<Record<string, string>> = {}): RequestHandler =>
	(_, response) =>
		void response.writeHead(status, headers).end();

describe.each(Object.entries(NODES))("%s", (_, toNode) => {
	const address = () => `${server.url}/far?key=hidden`;
	const withSecret = () => ({ ...toNode(address()), auth: { secret: "orders" } }) as AgentNode;

	it.each([401, 403])("that refuses a secret says which, and where it is set: %s", async (status) => {
		server.handle(respondWithStatus(status));
		vi.stubEnv("STEMMA_TOOL_ORDERS", VALUE);
		const rejection = {
			code: `http_${status}`,
			message: `${server.url}/far refuses the secret "orders" (HTTP ${status}).`,
		};
		expect(await fail(withSecret())).toEqual({
			...rejection,
			hint: "Set another value: the variable STEMMA_TOOL_ORDERS, or the option `secrets`.",
		});
		expect(await fail(withSecret(), { secrets: { orders: VALUE } })).toEqual({
			...rejection,
			hint: "Set another value: the option `secrets` (of `mcpTools` and `remoteAgents`: `secret`).",
		});
	});

	it.each([401, 403])("that wants a credential says what the node needs: %s", async (status) => {
		server.handle(respondWithStatus(status));
		expect(await fail(toNode(address()))).toEqual({
			code: `http_${status}`,
			message: `${server.url}/far asks for a credential (HTTP ${status}).`,
			hint: "Give the node `auth: { secret: … }`.",
		});
	});

	it("that is not there is to be looked for", async () => {
		server.handle((_, response) => void response.socket?.destroy());
		expect(await fail(toNode(address()))).toEqual({
			code: "connection_failed",
			message: expect.stringMatching(`^No connection to ${server.url}: `),
			hint: "Check that the server runs, and that its address in the node is right.",
		});
	});

	it("that answers with a redirect says what to write", async () => {
		server.handle(respondWithStatus(307, { location: "https://elsewhere.example" }));
		expect(await fail(toNode(address()))).toEqual({
			code: "redirected",
			message: `${server.url}/far answers with a redirect, which is not followed.`,
			hint: "Set the node's address to the one that the redirect leads to: a secret is sent only to the node's address.",
		});
	});
});

it("says which scopes a secret lacks", async () => {
	server.handle(
		respondWithStatus(403, { "www-authenticate": 'Bearer error="insufficient_scope", scope="pay"' }),
	);
	vi.stubEnv("STEMMA_TOOL_ORDERS", VALUE);
	const node = { ...NODES["an MCP server"](server.url), auth: { secret: "orders" } } as AgentNode;
	expect(await fail(node)).toEqual({
		code: "insufficient_scope",
		message: `${server.url} refuses the secret "orders" (HTTP 403).`,
		hint: expect.stringMatching(
			/scopes that the MCP server asks for: pay\. Set another value: the variable STEMMA_TOOL_ORDERS/,
		),
	});
});

describe("an error of a port", () => {
	const call = () =>
		remoteAgents()
			.run(
				{ runId: "run_1", node: "far", agent: { url: server.url }, input: "?" },
				{ signal: new AbortController().signal, onText: () => undefined, onReset: () => undefined },
			)
			.catch((error: unknown) => error);

	it("is of the class that it was, with what the server said as its cause", async () => {
		server.handle((_, response) => sendJson(response, { error: { code: "gone", message: "No more." } }, 401));
		const error = await call();
		expect(error).toMatchObject({ name: "AuthenticationError", status: 401, code: "gone" });
		expect(ApiError.is(error)).toBe(true);
		expect(error).toHaveProperty("cause.message", "No more.");
		expect(JSON.stringify(error)).not.toContain("No more.");
		server.handle(respondWithStatus(307));
		expect(ConnectionError.is(await call())).toBe(true);
	});

	it("is a refusal too where the agent refuses in its protocol", async () => {
		const agent = createA2aHandler({ events: [] });
		server.handle((request, response) => {
			if (request.method === "GET") return agent(request, response);
			const error = { code: -32600, message: "Who are you?" };
			sendJson(response, { jsonrpc: "2.0", id: request.rpc.id, error }, 401);
		});
		expect(await call()).toMatchObject({
			name: "AuthenticationError",
			message: `${server.url} asks for a credential (HTTP 401).`,
			cause: { message: "Who are you?" },
		});
	});

	it("keeps the row of what an agent had begun", async () => {
		const agent = createA2aHandler({ events: [submitted] });
		server.handle((request, response) =>
			/Subscribe|GetTask/.test(request.rpc.method ?? "")
				? respondWithStatus(401)(request, response)
				: agent(request, response),
		);
		expect(await call()).toMatchObject({
			message: `${server.url} asks for a credential (HTTP 401).`,
			receipt: [{ payer: "external", model: "Legal" }],
		});
	});

	it("stays as it is for any other answer", async () => {
		server.handle((_, response) => sendJson(response, { error: { code: "busy", message: "Later." } }, 418));
		expect(await call()).toMatchObject({ name: "ApiError", code: "busy", message: "Later." });
	});
});
