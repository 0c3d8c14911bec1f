import type {
	AgentGraph,
	ChatEvent,
	ChatModel,
	ChatReply,
	ChatRequest,
	RunEvent,
	RunLimits,
	RunResult,
} from "@stemma/core";
import { defineAgent } from "@stemma/core";
import {
	createEngine,
	type EngineHost,
	type EnginePorts,
	type EngineRunOptions,
	type RetrievedPassage,
} from "../index";
import { checkRun } from "./check-run";

/** What a scripted model says when a node asks it: text, calls, a whole reply, or a failure. */
export type Line = string | Partial<ChatReply> | Error;
export type Script = Readonly<
	Record<string, readonly Line[] | ((request: ChatRequest) => Line | Promise<Line>)>
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
		return { ...SILENT, ...(typeof line === "string" ? { text: line } : line) };
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

const SILENT: ChatReply = {
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
	readonly host?: EngineHost;
	/** What retrieving finds, by query. */
	readonly passages?: Readonly<Record<string, readonly RetrievedPassage[]>>;
}

/** Runs a graph over scripted ports and checks what holds for every run. */
export async function runScripted(graph: AgentGraph, options: ScriptedOptions): Promise<ScriptedRun> {
	const { script = {}, passages = {}, ports = {}, limits, host = manualHost(), ...run } = options;
	const model = scriptedModel(script);
	const events: RunEvent[] = [];
	const engine = createEngine(defineAgent(graph), {
		host,
		...(limits === undefined ? {} : { limits }),
		ports: {
			models: { resolve: () => ({ model, payer: "workspace", reason: "The script pays." }) },
			retriever: { retrieve: async ({ query }) => ({ passages: passages[query] ?? [] }) },
			tools: { describe: unused, call: unused },
			agents: { run: unused },
			validate: () => ({ valid: true }),
			...ports,
		},
	});
	const result = await engine.run({
		input: "hello",
		...run,
		onEvent(event) {
			events.push(event);
			run.onEvent?.(event);
		},
	});
	checkRun(events, result);
	return { result, events, requests: model.requests };
}

const unused = (): never => {
	throw new Error("This port is not used here.");
};
