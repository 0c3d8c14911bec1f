import type { ServerResponse } from "node:http";
import {
	type ReceivedRequest,
	type RequestHandler,
	sendJson,
	type TestServer,
} from "../../test-support/test-server";
import { type A2aConnection, createA2aClient } from "../create-a2a-client";
import type {
	A2aArtifactUpdate,
	A2aListRequest,
	A2aPushConfig,
	A2aSendRequest,
	A2aStreamResponse,
	A2aTask,
	A2aTaskState,
} from "../wire";

/** A call as it came in, over either binding. */
export interface ReceivedCall {
	readonly method: string;
	readonly params: Partial<A2aSendRequest & A2aListRequest & A2aPushConfig>;
	readonly request: ReceivedRequest;
	/** Answers as a whole. */
	reply(result: unknown): void;
	fail(code: number, message?: string, data?: unknown): void;
	/** Answers piece by piece; `end` it, or leave it open. */
	event(result: unknown): void;
	readonly response: ServerResponse;
}

export type MethodHandler = (call: ReceivedCall) => void | Promise<void>;

export interface FakeAgent {
	readonly calls: readonly ReceivedCall[];
	on(method: string, handler: MethodHandler): void;
}

export const cardOf = (url: string, more: object = {}): object => ({
	name: "Fake",
	description: "An agent for tests",
	version: "1",
	supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
	capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
	defaultInputModes: ["text/plain"],
	defaultOutputModes: ["text/plain"],
	skills: [],
	...more,
});

/** An agent over JSON-RPC that does as it is told. */
export function serveAgent(server: TestServer, card: object = cardOf(server.url)): FakeAgent {
	const methods = new Map<string, MethodHandler>();
	const calls: ReceivedCall[] = [];
	server.on("GET /.well-known/agent-card.json", (_, response) => sendJson(response, card));
	server.on("POST /rpc", async (request, response) => {
		const { id, method, params } = request.json<{
			id: string;
			method: string;
			params: ReceivedCall["params"];
		}>();
		const reply = (body: object) => sendJson(response, { jsonrpc: "2.0", id, ...body });
		const call: ReceivedCall = {
			method,
			params,
			request,
			response,
			reply: (result) => reply({ result }),
			fail: (code, message = "It is not to be.", data = undefined) =>
				reply({ error: { code, message, data } }),
			event: (result) => sendEvent(response, { jsonrpc: "2.0", id, result }),
		};
		calls.push(call);
		await (methods.get(method) ?? (({ fail }) => fail(-32601)))(call);
	});
	return { calls, on: (method, handler) => void methods.set(method, handler) };
}

export function sendEvent(response: ServerResponse, data: unknown): void {
	if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(`data: ${JSON.stringify(data)}\n\n`);
}

/** What answers anything with a text as it is. */
export const respondWithText =
	(body: string, type = "application/json", status = 200): RequestHandler =>
	(_, response) =>
		void response.writeHead(status, { "content-type": type }).end(body);

export const agentAt = (server: TestServer, options: Partial<A2aConnection> = {}) =>
	createA2aClient({ url: server.url, retryDelayMs: 2, ...options });

export const taskOf = (state: string, more: Partial<A2aTask> = {}): A2aTask => ({
	id: "task_1",
	contextId: "context_1",
	status: { state: `TASK_STATE_${state}` as A2aTaskState },
	...more,
});

export const statusOf = (state: string): A2aStreamResponse => ({
	statusUpdate: {
		taskId: "task_1",
		contextId: "context_1",
		status: { state: `TASK_STATE_${state}` as A2aTaskState },
	},
});

export const chunkOf = (
	text: string,
	more: Partial<A2aArtifactUpdate> & { readonly artifactId?: string } = {},
): A2aStreamResponse => {
	const { artifactId = "artifact_1", ...update } = more;
	const artifact = { artifactId, parts: [{ text }] };
	return { artifactUpdate: { taskId: "task_1", contextId: "context_1", artifact, ...update } };
};

export const messageOf = (text: string) => ({
	messageId: "message_1",
	role: "ROLE_AGENT" as const,
	parts: [{ text }],
});

/** A task as an agent keeps it: written differently from the client's reducer, on purpose. */
export function toTask(log: readonly A2aStreamResponse[]): A2aTask {
	const artifacts = new Map<string, { artifactId: string; parts: Record<string, unknown>[] }>();
	let task = taskOf("SUBMITTED");
	for (const event of log) {
		if ("task" in event) task = event.task;
		if ("statusUpdate" in event) task = { ...task, status: event.statusUpdate.status };
		if (!("artifactUpdate" in event)) continue;
		const { artifact, append = false } = event.artifactUpdate;
		const existing = append ? artifacts.get(artifact.artifactId) : undefined;
		if (existing === undefined) {
			artifacts.set(artifact.artifactId, structuredClone(artifact) as never);
			continue;
		}
		for (const [index, part] of structuredClone(artifact.parts).entries()) {
			const last = existing.parts.at(-1);
			if (index === 0 && last?.text !== undefined && part.text !== undefined)
				last.text = `${last.text}${part.text}`;
			else existing.parts.push({ ...part });
		}
	}
	return artifacts.size === 0 ? task : { ...task, artifacts: [...artifacts.values()] as never };
}

const isTerminal = (task: A2aTask): boolean => /COMPLETED|FAILED|CANCELED|REJECTED/.test(task.status.state);

export interface Disconnect {
	/** So many more events are told before the connection breaks. */
	readonly sentEvents: number;
	/** So many more happen before anyone comes back. */
	readonly missedEvents: number;
	/** Broken in the middle of an event, or ended in good order. */
	readonly kind: "broken" | "ended";
}

/** Serves one task by its log, over connections that break. */
export function serveTask(
	agent: FakeAgent,
	log: readonly A2aStreamResponse[],
	disconnects: readonly Disconnect[] = [],
): void {
	let position = 0;
	let connection = 0;
	const streamLog: MethodHandler = ({ event, response }) => {
		const disconnect = disconnects[connection];
		connection += 1;
		const sentEvents = Math.min(log.length, position + (disconnect?.sentEvents ?? log.length));
		for (; position < sentEvents; position++) event(log[position]);
		if (disconnect === undefined || disconnect.kind === "ended") response.end();
		else {
			response.write('data: {"jsonrpc":"2.0","id":');
			setTimeout(() => response.socket?.destroy(), 2);
		}
		position = Math.min(log.length, position + (disconnect?.missedEvents ?? 0));
	};
	agent.on("SendStreamingMessage", streamLog);
	agent.on("SubscribeToTask", (call) => {
		const task = toTask(log.slice(0, position));
		if (isTerminal(task)) return call.fail(-32004, "The task has ended.");
		call.event({ task });
		return streamLog(call);
	});
	agent.on("GetTask", ({ reply }) => reply(toTask(log.slice(0, position))));
}
