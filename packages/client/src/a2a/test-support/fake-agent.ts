import type { ServerResponse } from "node:http";
import { type Answerer, type SeenRequest, sendJson, type TestServer } from "../../test-support/test-server";
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
export interface SeenCall {
	readonly method: string;
	readonly params: Partial<A2aSendRequest & A2aListRequest & A2aPushConfig>;
	readonly request: SeenRequest;
	/** Answers as a whole. */
	reply(result: unknown): void;
	fail(code: number, message?: string, data?: unknown): void;
	/** Answers piece by piece; `end` it, or leave it open. */
	event(result: unknown): void;
	readonly response: ServerResponse;
}

export type Method = (call: SeenCall) => void | Promise<void>;

export interface FakeAgent {
	readonly calls: readonly SeenCall[];
	on(method: string, answer: Method): void;
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
	const methods = new Map<string, Method>();
	const calls: SeenCall[] = [];
	server.on("GET /.well-known/agent-card.json", (_, response) => sendJson(response, card));
	server.on("POST /rpc", async (request, response) => {
		const { id, method, params } = request.json<{ id: string; method: string; params: SeenCall["params"] }>();
		const reply = (body: object) => sendJson(response, { jsonrpc: "2.0", id, ...body });
		const call: SeenCall = {
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
	return { calls, on: (method, answer) => void methods.set(method, answer) };
}

export function sendEvent(response: ServerResponse, data: unknown): void {
	if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(`data: ${JSON.stringify(data)}\n\n`);
}

/** What answers anything with a text as it is. */
export const answerText =
	(body: string, type = "application/json", status = 200): Answerer =>
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
		const kept = append ? artifacts.get(artifact.artifactId) : undefined;
		if (kept === undefined) {
			artifacts.set(artifact.artifactId, structuredClone(artifact) as never);
			continue;
		}
		for (const [index, part] of structuredClone(artifact.parts).entries()) {
			const last = kept.parts.at(-1);
			if (index === 0 && last?.text !== undefined && part.text !== undefined)
				last.text = `${last.text}${part.text}`;
			else kept.parts.push({ ...part });
		}
	}
	return artifacts.size === 0 ? task : { ...task, artifacts: [...artifacts.values()] as never };
}

const isTerminal = (task: A2aTask): boolean => /COMPLETED|FAILED|CANCELED|REJECTED/.test(task.status.state);

export interface Cut {
	/** So many more events are told before the connection breaks. */
	readonly told: number;
	/** So many more happen before anyone comes back. */
	readonly missed: number;
	/** Broken in the middle of an event, or ended in good order. */
	readonly how: "broken" | "ended";
}

/** Serves one task by its log, over connections that break. */
export function serveTask(
	agent: FakeAgent,
	log: readonly A2aStreamResponse[],
	cuts: readonly Cut[] = [],
): void {
	let at = 0;
	let connection = 0;
	const tell: Method = ({ event, response }) => {
		const cut = cuts[connection];
		connection += 1;
		const told = Math.min(log.length, at + (cut?.told ?? log.length));
		for (; at < told; at++) event(log[at]);
		if (cut === undefined || cut.how === "ended") response.end();
		else {
			response.write('data: {"jsonrpc":"2.0","id":');
			setTimeout(() => response.socket?.destroy(), 2);
		}
		at = Math.min(log.length, at + (cut?.missed ?? 0));
	};
	agent.on("SendStreamingMessage", tell);
	agent.on("SubscribeToTask", (call) => {
		const task = toTask(log.slice(0, at));
		if (isTerminal(task)) return call.fail(-32004, "The task has ended.");
		call.event({ task });
		return tell(call);
	});
	agent.on("GetTask", ({ reply }) => reply(toTask(log.slice(0, at))));
}
