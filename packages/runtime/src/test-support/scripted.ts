import type { WireRunEvent } from "@stemma/client";
import type { AgentGraph, ChatEvent, ChatModel } from "@stemma/core";
import { createSseReader, type SseEvent } from "@stemma/core/sse";
import type { LocalPorts } from "@stemma/local";
import { createRuntime, type RemoteAgents, type Runtime, type RuntimeOptions } from "../index";

export const graph: AgentGraph = {
	name: "desk",
	description: "Says it again",
	nodes: [{ id: "desk", kind: "coordinator" }],
};

/** Ports whose model says what it is told to, word by word; it waits where the script says so, and heeds the signal. */
export function scriptedPorts(
	respond: (input: string) => string | Promise<string> = (input) => `You said ${input}.`,
): LocalPorts {
	const model: ChatModel = {
		provider: "scripted",
		model: "script-1",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream({ messages }, options): AsyncGenerator<ChatEvent> {
			const pendingText = Promise.resolve(respond(messages.at(-1)?.content ?? ""));
			const text = await untilAborted(pendingText, options?.signal);
			for (const [word] of text.matchAll(/\S+\s*/g)) yield { type: "text.delta", text: word };
			yield { type: "finish", reply: { text, toolCalls: [], finishReason: "stop" } };
		},
	};
	return { models: { resolve: () => ({ model, payer: "none", reason: "In the test." }) } };
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
	return new Promise((resolve, reject) => {
		signal?.addEventListener("abort", () => reject(new Error("aborted")));
		work.then(resolve, reject);
	});
}

/** Something that can be waited for, and let go. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
	let open = (): void => undefined;
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { opened, open: () => open() };
}

export interface TestRuntime extends Runtime {
	readonly lines: string[];
	get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
	post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

const ADDRESS = "http://127.0.0.1:4120";

/** A runtime with scripted ports (or a client) and one agent, `desk`, unless the options say otherwise. */
export async function createTestRuntime(options: Partial<RuntimeOptions> = {}): Promise<TestRuntime> {
	const lines: string[] = [];
	const log = (line: string): void => void lines.push(line);
	const ports = options.client === undefined ? { ports: scriptedPorts() } : {};
	const runtime = await createRuntime({ agents: { desk: graph }, ...ports, log, ...options });
	return {
		...runtime,
		lines,
		get: (path, headers = {}) => runtime.fetch(new Request(`${ADDRESS}${path}`, { headers })),
		post: (path, body = {}, headers = {}) =>
			runtime.fetch(
				new Request(`${ADDRESS}${path}`, {
					method: "POST",
					body: typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
					headers: { "content-type": "application/json", ...headers },
				}),
			),
	};
}

export const STREAMED = { accept: "text/event-stream" };

/** The events of a whole stream. */
export async function readEvents(response: Response): Promise<WireRunEvent[]> {
	return (await readSse(response)).map(({ data }) => JSON.parse(data));
}

export async function readSse(response: Response): Promise<SseEvent[]> {
	return createSseReader().push(await response.text());
}

/** Reads a stream event by event. */
export async function* followEvents(response: Response): AsyncGenerator<WireRunEvent> {
	const reader = response.body?.getReader();
	const sse = createSseReader();
	try {
		for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
			for (const { data } of sse.push(next.value)) yield JSON.parse(data);
	} finally {
		await reader?.cancel();
	}
}

/** An agent of the service that is scripted as a list of events; it keeps what it was asked. */
export function scriptedRemote(
	script: (calls: Parameters<RemoteAgents["run"]>) => AsyncIterable<WireRunEvent>,
): RemoteAgents & { readonly calls: Parameters<RemoteAgents["run"]>[] } {
	const calls: Parameters<RemoteAgents["run"]>[] = [];
	return {
		calls,
		run(...call) {
			calls.push(call);
			return script(call);
		},
		decide: () => Promise.reject(new Error("not scripted")),
		follow: () => {
			throw new Error("not scripted");
		},
	};
}
