import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";

/** An agent as AG-UI's own client has it; each event that it reads is checked with the protocol's schemas. */
export function openAgent({ url, fetch, threadId }) {
	const agent = new HttpAgent({ url, fetch: checking(fetch), threadId });
	const errors = [];
	return {
		errors,
		async run(text, options) {
			if (text !== undefined) agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
			await agent.runAgent(options, { onRunErrorEvent: ({ event }) => void errors.push(event) });
		},
		addMessage: (message) => agent.addMessage(message),
		get messages() {
			return structuredClone(agent.messages);
		},
		get state() {
			return structuredClone(agent.state);
		},
		get interrupts() {
			return structuredClone(agent.pendingInterrupts);
		},
	};
}

/** The client as programs construct it, but with a `fetch`. */
export const createHttpAgent = (fetch) =>
	class extends HttpAgent {
		constructor(options) {
			super({ ...options, fetch });
		}
	};

const checking = (fetch) => async (url, init) => {
	const response = await fetch(url, init);
	if (!response.ok) return response;
	let rest = "";
	const decoder = new TextDecoder();
	const body = response.body.pipeThrough(
		new TransformStream({
			transform(bytes, controller) {
				const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
				rest = events.pop() ?? "";
				for (const event of events)
					if (event.startsWith("data: ")) EventSchemas.parse(JSON.parse(event.slice(6)));
				controller.enqueue(bytes);
			},
		}),
	);
	return new Response(body, response);
};
