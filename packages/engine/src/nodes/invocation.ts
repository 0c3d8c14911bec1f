import type { ChatMessage, ChatToolCall, InvocationMode, Json, RunError } from "@stemma/core";
import type { CompiledNode } from "../graph/compiled-graph";
import { elapsed, type RetrievalEntry, type RunState } from "../run/run-state";
import type { Handoff } from "./handoff";

/**
 * Marks the texts of a value that were written by others, in which nothing is a citation mark: all output of knowledge,
 * tools and agents that cite nothing. For the output of a fan-out, by node id.
 */
export type VerbatimText = boolean | { [node: string]: VerbatimText };

/** One run of a node. Its `results` are what its `before` targets or its continuations gave, by slot. */
export interface Invocation {
	/** Unique in the run, from 1. */
	readonly id: number;
	readonly node: CompiledNode;
	readonly mode: InvocationMode;
	readonly parent: Invocation | undefined;
	/** Position among the `results` of the parent. */
	readonly slot: number;
	/** Depth of the invocation in calls; the coordinator's is 0. */
	readonly depth: number;
	readonly input: Json;
	/** True where the invocation's value becomes the run's output unchanged. */
	readonly isTail: boolean;
	/** Scope of things that abort together; 0 is the run. */
	readonly scope: number;
	/** Handoff that led to this model node, beside the input. */
	readonly handoff: Handoff | undefined;
	/** The time that the run had taken. */
	startedAt: number;
	closed: boolean;
	/** The invocations that it waits for now, by slot; a call that was not made has none. */
	children: (Invocation | undefined)[];
	pendingChildren: number;
	results: (Json | undefined)[];
	/** Grows by `addMessage` alone. */
	readonly messages: ChatMessage[];
	/** Number of `messages` before the first turn. */
	initialMessageCount: number;
	/** Characters of all `messages`, for estimates. */
	characters: number;
	turns: number;
	repaired: boolean;
	toolCalls: readonly ChatToolCall[];
	/** The answers to `toolCalls`, by slot. */
	toolMessages: (ChatMessage | undefined)[];
	/** Number of calls to each callee. */
	callCounts: Map<string, number> | undefined;
	/** Knowledge nodes only. */
	retrieval: RetrievalEntry | undefined;
	/** True once the retrieval has ended; continuations may still run. */
	isRetrieved: boolean;
	value: Json;
	/** Provenance of the texts in `value`. */
	verbatim: VerbatimText;
	error: RunError | undefined;
	truncated: boolean;
	inputTokens: number;
	outputTokens: number;
	modelCalls: number;
	steps: number;
}

/** Shared by all invocations until they have something of their own. A write would throw. */
const NONE: never[] = [];
Object.freeze(NONE);

/** Makes an invocation; nothing happens until its `start` task is done. */
export function createInvocation(
	run: RunState,
	origin: Pick<Invocation, "node" | "mode" | "parent" | "slot" | "depth" | "input" | "isTail" | "scope"> &
		Partial<Pick<Invocation, "handoff">>,
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
		handoff: origin.handoff,
		startedAt: elapsed(run),
		closed: false,
		children: NONE,
		pendingChildren: 0,
		results: NONE,
		messages: [],
		initialMessageCount: 0,
		characters: 0,
		turns: 0,
		repaired: false,
		toolCalls: NONE,
		toolMessages: NONE,
		callCounts: undefined,
		retrieval: undefined,
		isRetrieved: false,
		value: null,
		verbatim: false,
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
	return isTail && node.continuations.length === 0 && node.modelSettings?.node.output === undefined;
}

/** Ends an invocation without a value; its `settle` task tells whoever waits for it. */
export function fail(run: RunState, invocation: Invocation, error: RunError): void {
	if (invocation.closed) return;
	invocation.error = error;
	run.tasks.push({ type: "settle", invocation });
}

/** Adds to the conversation of a model node. */
export function addMessage(invocation: Invocation, message: ChatMessage): void {
	invocation.messages.push(message);
	invocation.characters += message.content.length;
	if (message.role !== "assistant") return;
	for (const call of message.toolCalls ?? []) invocation.characters += call.arguments.length;
}
