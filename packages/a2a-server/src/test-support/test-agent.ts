import type { A2aStreamResponse } from "@stemma/client/a2a";
import { createSseReader, type SseEvent } from "@stemma/core/sse";
import { type AgentCardOptions, createA2aServer, createAgentCard } from "../index";
import { createMemoryStore, type MemoryStore } from "./memory-store";
import { completed, started, type TestRunEvent, textDelta } from "./run-events";

export const SCRIPT: readonly TestRunEvent[] = [
	started,
	textDelta("Five "),
	textDelta("days."),
	completed("Five days."),
];

export interface TestAgent {
	readonly store: MemoryStore;
	/** Errors that `mapError` was called with. */
	readonly mappedErrors: unknown[];
	/** Any request, at a path behind the agent's own. */
	send(path: string, init?: RequestInit): Promise<Response>;
	/** A call by JSON-RPC, and its whole answer. */
	// biome-ignore lint/suspicious/noExplicitAny: answers are read by assertions.
	call(method: string, params?: object, headers?: Readonly<Record<string, string>>): Promise<any>;
	/** The same, where it streams. */
	open(method: string, params?: object): Promise<Response>;
}

export interface TestAgentOptions {
	readonly script?: readonly TestRunEvent[];
	readonly push?: boolean;
	readonly card?: Partial<AgentCardOptions>;
	/** Fields of the card that differ from the agent. */
	readonly capabilities?: object;
	readonly heartbeatMs?: number;
	/** Default: the store makes none. */
	readonly createContextId?: () => string;
	/** Continuation once `ap_1` is decided. Default: the caller may not decide. */
	readonly onDecision?: readonly TestRunEvent[];
}

const VERSION = { "a2a-version": "1.0" };

/** An agent in whose runs happens what a test says; by default, all at once. */
export function createTestAgent({
	script = SCRIPT,
	push,
	card,
	capabilities,
	heartbeatMs,
	createContextId,
	onDecision,
}: TestAgentOptions = {}): TestAgent {
	const mappedErrors: unknown[] = [];
	const server = createA2aServer({ heartbeatMs, mapError: (error) => void mappedErrors.push(error) });
	const store = createMemoryStore(script, { push: push ?? false, createContextId, onDecision });
	const agentCard = createAgentCard({
		id: "desk",
		description: "Answers",
		version: "1",
		url: "http://127.0.0.1/a2a/desk",
		pushNotifications: push,
		...card,
	});
	const agent = {
		basePath: "/a2a/desk",
		store,
		card: { ...agentCard, capabilities: { ...agentCard.capabilities, ...capabilities } },
	};
	const send = (path: string, init: RequestInit = {}): Promise<Response> =>
		server.fetch(new Request(`http://127.0.0.1/a2a/desk${path}`, init), agent);
	const post = (method: string, params?: object, headers: Readonly<Record<string, string>> = VERSION) =>
		send("", {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
		});
	return {
		store,
		mappedErrors,
		send: (path, init = {}) => send(path, { ...init, headers: { ...VERSION, ...init.headers } }),
		call: async (method, params, headers) => (await post(method, params, headers)).json(),
		open: (method, params) => post(method, params),
	};
}

let count = 0;

/** A message of its own. */
export const createMessage = (text: string, more: object = {}): object => {
	count += 1;
	return { messageId: `m-${count}`, role: "ROLE_USER", parts: [{ text }], ...more };
};

/** All that a stream tells, without what JSON-RPC puts around it. */
export async function readStream(response: Response): Promise<A2aStreamResponse[]> {
	return (await readSse(response)).map(({ data }) => {
		const json = JSON.parse(data);
		return json.result ?? json;
	});
}

export const readSse = async (response: Response): Promise<SseEvent[]> =>
	createSseReader().push(await response.text());

/** A stream, thing by thing. */
export async function* followStream(response: Response): AsyncGenerator<A2aStreamResponse> {
	const reader = response.body?.getReader();
	const sse = createSseReader();
	try {
		for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
			for (const { data } of sse.push(next.value)) yield JSON.parse(data).result;
	} finally {
		await reader?.cancel();
	}
}
