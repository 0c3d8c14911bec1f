import type {
	ChatMessage,
	ChatReply,
	ChatRequest,
	ChatToolCall,
	InvocationMode,
	Json,
	JsonObject,
	ReceiptRow,
	RunError,
	RunEvent,
	RunResult,
} from "@stemma/core";
import { type CitationReducer, createCitationReducer } from "./citation-reducer";
import type { CompiledGraph, CompiledNode } from "./compiled-graph";
import type { ResolvedModel, Retrieval, RetrievalRequest, RetrievedPassage } from "./ports";

/** One run of a node. Its `results` are what its `before` targets or its continuations gave, by slot. */
export interface Invocation {
	/** Unique in the run, from 1. */
	readonly id: number;
	readonly node: CompiledNode;
	readonly mode: InvocationMode;
	readonly parent: Invocation | undefined;
	/** Its place among the `results` of the parent. */
	readonly slot: number;
	/** How many calls deep; the coordinator's is 0. */
	readonly depth: number;
	readonly input: Json;
	/** Its value becomes the run's output as it is. */
	readonly isTail: boolean;
	/** What aborts together with it; 0 is the run. */
	readonly scope: number;
	startedAt: number;
	closed: boolean;
	/** The invocations that it waits for now, by slot; a call that was not made has none. */
	children: (Invocation | undefined)[];
	waiting: number;
	results: (Json | undefined)[];
	messages: ChatMessage[];
	turns: number;
	repaired: boolean;
	calls: readonly ChatToolCall[];
	/** The answers to `calls`, by slot. */
	replies: (ChatMessage | undefined)[];
	/** How often it has called each callee. */
	callCounts: Map<string, number> | undefined;
	/** Knowledge nodes only. */
	retrieval: RetrievalEntry | undefined;
	/** Its retrieval was settled; its continuations may still run. */
	answered: boolean;
	value: Json;
	error: RunError | undefined;
	truncated: boolean;
	inputTokens: number;
	outputTokens: number;
	modelCalls: number;
	steps: number;
}

/** What is to be done next inside the engine, in order. */
export type Task =
	| { readonly do: "start"; readonly invocation: Invocation }
	| { readonly do: "turn"; readonly invocation: Invocation }
	| { readonly do: "continue"; readonly invocation: Invocation }
	| { readonly do: "settle"; readonly invocation: Invocation };

/** What the engine wants of the world. */
export type Command = ModelCommand | RetrieveCommand | ScopeCommand | AbortCommand;

export interface ModelCommand {
	readonly type: "model";
	readonly invocation: Invocation;
	readonly model: ResolvedModel;
	readonly request: ChatRequest;
	/** The row of the receipt that this call will fill. */
	readonly row: number;
	readonly startedAt: number;
	/** Tokens set aside for it until it is settled. */
	readonly reserved: number;
	/** Characters that came back so far. */
	received: number;
}

export interface RetrieveCommand {
	readonly type: "retrieve";
	readonly entry: RetrievalEntry;
	readonly request: RetrievalRequest;
}

/** Opens a scope within another: what is aborted with the outer one is aborted with the inner one too. */
export interface ScopeCommand {
	readonly type: "scope";
	readonly scope: number;
	readonly within: number;
}

export interface AbortCommand {
	readonly type: "abort";
	readonly scope: number;
}

/** What the world says back. */
export type Signal =
	| { readonly type: "text"; readonly command: ModelCommand; readonly text: string }
	| { readonly type: "reasoning"; readonly command: ModelCommand; readonly text: string }
	| { readonly type: "reply"; readonly command: ModelCommand; readonly reply: ChatReply }
	| {
			readonly type: "passages";
			readonly command: RetrieveCommand;
			readonly retrieval: Retrieval;
	  }
	| { readonly type: "failed"; readonly command: ModelCommand | RetrieveCommand; readonly error: RunError }
	| { readonly type: "begin" }
	| { readonly type: "refused"; readonly error: RunError }
	| { readonly type: "start"; readonly input: Json }
	| { readonly type: "timeout" }
	| { readonly type: "cancel" };

/** A retrieval of this run: the same node is not asked the same question twice. */
export interface RetrievalEntry {
	readonly query: string;
	readonly waiting: Invocation[];
	passages: readonly RetrievedPassage[] | undefined;
	error: RunError | undefined;
}

export interface EffectiveLimits {
	readonly maxSteps: number;
	readonly maxDepth: number;
	readonly timeoutMs: number;
	readonly maxTokens: number;
}

/** Everything that a run knows. It changes only in `transition`. */
export interface RunState {
	readonly graph: CompiledGraph;
	readonly runId: string;
	readonly context: JsonObject;
	readonly limits: EffectiveLimits;
	readonly models: Map<CompiledNode, ResolvedModel>;
	readonly systems: Map<CompiledNode, string>;
	readonly boundary: string;
	readonly startedAt: number;
	/** Set before each transition; the engine has no clock. */
	now: number;
	seq: number;
	invocations: number;
	scopes: number;
	readonly tasks: Task[];
	readonly commands: Command[];
	readonly events: RunEvent[];
	/** Started and neither completed nor failed. */
	readonly open: Set<Invocation>;
	readonly modelCalls: Set<ModelCommand>;
	readonly retrievals: Map<string, RetrievalEntry>;
	readonly passages: RetrievedPassage[];
	readonly passageNumbers: Map<string, number>;
	readonly receipt: (ReceiptRow | undefined)[];
	answer: CitationReducer;
	inputTokens: number;
	outputTokens: number;
	reservedTokens: number;
	steps: number;
	result: RunResult | undefined;
}

/** Shared by all invocations until they have something of their own; never written to. */
const NONE: never[] = [];

/** Makes an invocation; nothing happens until its `start` task is done. */
export function createInvocation(
	run: RunState,
	origin: Pick<Invocation, "node" | "mode" | "parent" | "slot" | "depth" | "input" | "isTail" | "scope">,
): Invocation {
	run.invocations += 1;
	return {
		id: run.invocations,
		node: origin.node,
		mode: origin.mode,
		parent: origin.parent,
		slot: origin.slot,
		depth: origin.depth,
		input: origin.input,
		isTail: origin.isTail,
		scope: origin.scope,
		startedAt: run.now,
		closed: false,
		children: NONE,
		waiting: 0,
		results: NONE,
		messages: [],
		turns: 0,
		repaired: false,
		calls: NONE,
		replies: NONE,
		callCounts: undefined,
		retrieval: undefined,
		answered: false,
		value: null,
		error: undefined,
		truncated: false,
		inputTokens: 0,
		outputTokens: 0,
		modelCalls: 0,
		steps: 0,
	};
}

/** The text of this invocation is sent as part of the answer while it comes in. */
export function streamsAnswer({ isTail, node }: Invocation): boolean {
	return isTail && node.continuations.length === 0 && node.turns?.node.output === undefined;
}

/** Ends an invocation without a value; its `settle` task tells whoever waits for it. */
export function fail(run: RunState, invocation: Invocation, error: RunError): void {
	if (invocation.closed) return;
	invocation.error = error;
	run.tasks.push({ do: "settle", invocation });
}

/** Siblings of which one failing makes the others useless share a scope, so that they can be aborted together. */
export function openScope(run: RunState, parent: Invocation, siblings: number): number {
	if (siblings < 2) return parent.scope;
	run.scopes += 1;
	run.commands.push({ type: "scope", scope: run.scopes, within: parent.scope });
	return run.scopes;
}

/** Reads the answer's citations against the passages of this run. */
export function createAnswer({ passages }: Pick<RunState, "passages">): CitationReducer {
	return createCitationReducer(
		(number) => passages[number - 1],
		() => passages.length > 0,
	);
}
