import type {
	AgentGraph,
	ChatEvent,
	ChatModel,
	ChatReply,
	ChatRequest,
	ReceiptRow,
	RunEvent,
	RunLimits,
	RunResult,
} from "@stemma/core";
import { defineAgent } from "@stemma/core";
import {
	type AgentCallOptions,
	type AgentOutcome,
	type AgentPort,
	type AgentRequest,
	createEngine,
	type EngineHost,
	type EnginePorts,
	type EngineRunOptions,
	type RetrievedPassage,
} from "../index";
import { checkRun } from "./check-run";

/** What a scripted model says when a node asks it: text, calls, a whole reply, or a failure. */
export type ScriptedReply = string | Partial<ChatReply> | Error;
export type Script = Readonly<
	Record<
		string,
		readonly ScriptedReply[] | ((request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>)
	>
>;

/** A model that reads its replies from a script, a line a turn; it keeps every request that it got. */
export function scriptedModel(script: Script): ChatModel & { readonly requests: ChatRequest[] } {
	const turns = new Map<string, number>();
	const requests: ChatRequest[] = [];

	async function nextReply(request: ChatRequest): Promise<ChatReply> {
		// The list of messages grows as the conversation goes on.
		requests.push({ ...request, messages: [...request.messages] });
		const node = request.origin?.node ?? "";
		const turn = turns.get(node) ?? 0;
		turns.set(node, turn + 1);
		const lines = script[node];
		const line =
			typeof lines === "function" ? await lines(request) : (lines?.[turn] ?? `${node} has nothing to say`);
		if (line instanceof Error) throw line;
		return { ...EMPTY_REPLY, ...(typeof line === "string" ? { text: line } : line) };
	}

	return {
		provider: "scripted",
		model: "script-1",
		vendorHost: "models.example",
		requests,
		generate: nextReply,
		async *stream(request): AsyncGenerator<ChatEvent> {
			const reply = await nextReply(request);
			for (const [word] of reply.text.matchAll(/\S+\s*|\s+/g)) yield { type: "text.delta", text: word };
			yield { type: "finish", reply };
		},
	};
}

const EMPTY_REPLY: ChatReply = {
	text: "",
	toolCalls: [],
	finishReason: "stop",
	usage: { inputTokens: 10, outputTokens: 5 },
};

/** A reply that calls nodes with an input each. */
export function calls(...list: readonly (readonly [node: string, input: string])[]): Partial<ChatReply> {
	return {
		finishReason: "tool_calls",
		toolCalls: list.map(([name, input], index) => ({
			id: `c${index}`,
			name,
			arguments: JSON.stringify({ input }),
		})),
	};
}

/** Script of an agent: `deltas` is its text as it streams, `undefined` takes that back; then it has an outcome or fails. */
export type ScriptedOutcome =
	| string
	| (AgentOutcome & { readonly deltas?: readonly (string | undefined)[] })
	| Error
	| ((request: AgentRequest, options: AgentCallOptions) => Promise<ScriptedOutcome>);

/** Agents that answer from a script, by the node that asks; text is told word by word where nothing else is said. */
export function scriptedAgents(
	script: Readonly<Record<string, ScriptedOutcome>>,
): AgentPort & { readonly requests: AgentRequest[] } {
	const requests: AgentRequest[] = [];

	async function respond(
		answer: ScriptedOutcome,
		request: AgentRequest,
		options: AgentCallOptions,
	): Promise<AgentOutcome> {
		if (typeof answer === "function") return respond(await answer(request, options), request, options);
		if (answer instanceof Error) throw answer;
		const { deltas, ...outcome } = typeof answer === "string" ? { output: answer } : answer;
		for (const piece of deltas ?? toWords(outcome.output)) {
			if (piece === undefined) options.onReset();
			else options.onText(piece);
			await undefined;
		}
		return outcome;
	}

	return {
		requests,
		run(request, options) {
			requests.push(request);
			return respond(script[request.node] ?? `${request.node} has nothing to say`, request, options);
		},
	};
}

const toWords = (output: unknown): string[] =>
	typeof output === "string" ? (output.match(/\S+\s*|\s+/g) ?? []) : [];

/** A call that another agent made. */
export function receiptRow(fields: Partial<ReceiptRow>): ReceiptRow {
	return {
		stage: "answer",
		payer: "workspace",
		provider: "theirs",
		vendor_host: "theirs.example",
		model: "t-1",
		input_tokens: 7,
		output_tokens: 3,
		ms: 1,
		attempts: 1,
		reason: "They say so.",
		...fields,
	};
}

export function passage(id: string, text: string): RetrievedPassage {
	return {
		passage_id: `psg_${id}`,
		document_id: `doc_${id}`,
		title: `Document ${id}`,
		place: { heading: "Top", start: 0, end: text.length },
		text,
	};
}

/** Time that moves only when it is told to; timers fire as it passes them. */
export function manualHost(): EngineHost & { advance(milliseconds: number): void } {
	let now = 1_000_000;
	let ids = 0;
	const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
	return {
		now: () => now,
		setTimer(milliseconds, callback) {
			const timer = { at: now + milliseconds, callback };
			timers.add(timer);
			return () => timers.delete(timer);
		},
		createId: (prefix) => `${prefix}_${++ids}`,
		advance(milliseconds) {
			now += milliseconds;
			for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.callback();
		},
	};
}

export interface ScriptedRun {
	readonly result: RunResult;
	readonly events: readonly RunEvent[];
	readonly requests: readonly ChatRequest[];
}

export interface ScriptedOptions extends Partial<EngineRunOptions> {
	readonly script?: Script;
	readonly ports?: Partial<EnginePorts>;
	readonly limits?: RunLimits;
	readonly maxConcurrentCalls?: number;
	readonly host?: EngineHost;
	/** What retrieving finds, by query. */
	readonly passages?: Readonly<Record<string, readonly RetrievedPassage[]>>;
}

/** Ports that answer from a script, and the requests that its model got. */
export function scriptedPorts({ script = {}, passages = {}, ports = {} }: ScriptedOptions): {
	readonly ports: EnginePorts;
	readonly requests: readonly ChatRequest[];
} {
	const model = scriptedModel(script);
	return {
		ports: {
			models: { resolve: () => ({ model, payer: "workspace", reason: "The script pays." }) },
			retriever: { retrieve: async ({ query }) => ({ passages: passages[query] ?? [] }) },
			tools: { describe: unused, call: unused },
			agents: { run: unused },
			validate: () => ({ valid: true }),
			...ports,
		},
		requests: model.requests,
	};
}

/** An engine over scripted ports. */
export function createScripted(graph: AgentGraph, options: ScriptedOptions) {
	const { host = manualHost(), limits, maxConcurrentCalls } = options;
	const { ports, requests } = scriptedPorts(options);
	const engine = createEngine(defineAgent(graph), {
		host,
		...(limits === undefined ? {} : { limits }),
		...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls }),
		ports,
	});
	return { engine, requests };
}

/** Runs a graph over scripted ports: the engine's {@link runScripted}, or one of what is built on the engine. */
export type RunScripted = (graph: AgentGraph, options: ScriptedOptions) => Promise<ScriptedRun>;

/** Runs a graph over scripted ports and checks what holds for every run. */
export async function runScripted(graph: AgentGraph, options: ScriptedOptions): Promise<ScriptedRun> {
	const { script, passages, ports, limits, maxConcurrentCalls, host, ...run } = options;
	const events: RunEvent[] = [];
	const { engine, requests } = createScripted(graph, options);
	const result = await engine.run({
		input: "hello",
		...run,
		onEvent(event) {
			events.push(event);
			run.onEvent?.(event);
		},
	});
	checkRun(events, result);
	return { result, events, requests };
}

const unused = (): never => {
	throw new Error("This port is not used here.");
};
