import type { ServerResponse } from "node:http";
import { type Answer, beginEvents, type SeenRequest, sendEvent, sendJson } from "./rpc-server";

export interface A2aScript {
	readonly name?: string;
	readonly streaming?: boolean;
	/** What a message is answered with, event for event; `"hold"` leaves the stream open. */
	readonly events: readonly (object | "hold")[] | ((request: SeenRequest) => readonly (object | "hold")[]);
}

export const status = (state: string, said?: string): object => ({
	statusUpdate: {
		taskId: "t1",
		contextId: "c1",
		status: {
			state: `TASK_STATE_${state}`,
			...(said === undefined
				? {}
				: { message: { messageId: "m9", role: "ROLE_AGENT", parts: [{ text: said }] } }),
		},
	},
});

export const begun: object = {
	task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_SUBMITTED" } },
};

export const artifact = (artifactId: string, parts: readonly object[], append = false): object => ({
	artifactUpdate: { taskId: "t1", contextId: "c1", artifact: { artifactId, parts }, append },
});

/** An A2A 1.0 agent over JSON-RPC. */
export const speakA2a =
	({ name = "Legal", streaming = true, events }: A2aScript): Answer =>
	(request, response) => {
		const { method, headers, rpc } = request;
		if (method === "GET") return sendCard(response, `http://${headers.host}/a2a`, name, streaming);
		const give = (result: object): object => ({ jsonrpc: "2.0", id: rpc.id, result });
		if (rpc.method === "CancelTask")
			return sendJson(
				response,
				give({ id: "t1", contextId: "c1", status: { state: "TASK_STATE_CANCELED" } }),
			);
		beginEvents(response);
		const told = typeof events === "function" ? events(request) : events;
		for (const event of told) {
			if (event === "hold") return;
			sendEvent(response, give(event));
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
