import type { ServerResponse } from "node:http";
import {
	beginEvents,
	type ReceivedRequest,
	type RequestHandler,
	sendEvent,
	sendJson,
} from "./use-rpc-server.ts";

/** Script of a well-behaved A2A agent. */
export interface A2aScript {
	readonly name?: string;
	readonly streaming?: boolean;
	/** What a message is answered with, event for event; `"hold"` leaves the stream open. */
	readonly events:
		| readonly (object | "hold")[]
		| ((request: ReceivedRequest) => readonly (object | "hold")[]);
}

export const status = (state: string, messageText?: string): object => ({
	statusUpdate: {
		taskId: "t1",
		contextId: "c1",
		status: {
			state: `TASK_STATE_${state}`,
			...(messageText === undefined
				? {}
				: { message: { messageId: "m9", role: "ROLE_AGENT", parts: [{ text: messageText }] } }),
		},
	},
});

export const submitted: object = {
	task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_SUBMITTED" } },
};

export const artifact = (artifactId: string, parts: readonly object[], append = false): object => ({
	artifactUpdate: { taskId: "t1", contextId: "c1", artifact: { artifactId, parts }, append },
});

/** An A2A 1.0 agent over JSON-RPC. */
export const createA2aHandler =
	({ name = "Legal", streaming = true, events }: A2aScript): RequestHandler =>
	(request, response) => {
		const { method, headers, rpc } = request;
		if (method === "GET") return sendCard(response, `http://${headers.host}/a2a`, name, streaming);
		const toResponse = (result: object): object => ({ jsonrpc: "2.0", id: rpc.id, result });
		if (rpc.method === "CancelTask")
			return sendJson(
				response,
				toResponse({ id: "t1", contextId: "c1", status: { state: "TASK_STATE_CANCELED" } }),
			);
		beginEvents(response);
		const sentEvents = typeof events === "function" ? events(request) : events;
		for (const event of sentEvents) {
			if (event === "hold") return;
			sendEvent(response, toResponse(event));
		}
		response.end();
	};

function sendCard(response: ServerResponse, url: string, name: string, streaming: boolean): void {
	sendJson(response, {
		name,
		description: "Knows the law.",
		version: "1",
		supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
		capabilities: { streaming },
		defaultInputModes: ["text/plain"],
		defaultOutputModes: ["text/plain"],
		skills: [],
	});
}
