import type { ServerResponse } from "node:http";
import {
	type HostileRpcServer,
	type RpcHandler,
	type RpcRequest,
	sendRpc,
	sendRpcEvent,
	sendText,
	startRpcServer,
} from "./rpc-server.ts";

/** Ids of the one task that a hostile A2A agent has. */
const IDS = { taskId: "t1", contextId: "c1" };

export const taskOf = (state = "WORKING", more: object = {}) => ({
	id: "t1",
	contextId: "c1",
	status: { state: `TASK_STATE_${state}` },
	...more,
});

export const taskStarted = { task: taskOf() };

export const statusOf = (state: string, more: object = {}) => ({
	statusUpdate: { ...IDS, status: { state: `TASK_STATE_${state}` }, ...more },
});

export const artifactOf = (artifactId: string, parts: unknown, more: object = {}) => ({
	artifactUpdate: { ...IDS, artifact: { artifactId, parts, ...more }, append: true },
});

export const cardOf = (host = "", more: object = {}) => ({
	name: "Hostile",
	description: "An agent for tests",
	version: "1",
	supportedInterfaces: [{ url: `http://${host}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
	capabilities: { streaming: true, extendedAgentCard: true, pushNotifications: true },
	...more,
});

const NORMAL: Readonly<Record<string, RpcHandler>> = {
	GET: ({ headers }, response) => sendText(response, JSON.stringify(cardOf(headers.host))),
	SendStreamingMessage: (request, response) =>
		sendEventsAndEnd(
			request,
			response,
			taskStarted,
			artifactOf("a", [{ text: "Five days." }]),
			statusOf("COMPLETED"),
		),
	SendMessage: () => ({ task: taskOf("COMPLETED") }),
	SubscribeToTask: ({ id }, response) =>
		sendRpc(response, { id, error: { code: -32004, message: "The task has ended." } }),
	GetTask: () => taskOf("COMPLETED"),
	CancelTask: () => taskOf("CANCELED"),
};

/** Sends events of a stream, and ends it. */
export function sendEventsAndEnd(
	request: RpcRequest,
	response: ServerResponse,
	...events: readonly object[]
): void {
	sendEvents(request, response, ...events);
	response.end();
}

/** Sends events of a stream, and leaves it open. */
export function sendEvents({ id }: RpcRequest, response: ServerResponse, ...events: readonly object[]): void {
	for (const result of events) sendRpcEvent(response, { id, result });
}

/** An A2A agent that does wrong whatever it is told to, and all else right. */
export const startHostileAgent = (): Promise<HostileRpcServer> => startRpcServer(NORMAL);
