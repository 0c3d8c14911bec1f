import type { ChatMessage, ChatToolCall, InvocationMode, Json, KnowledgeNode, RunError } from "@stemma/core";
import type { CompiledNode } from "../graph/compiled-graph";
import type { RetrievedPassage } from "../io/ports";
import type { History } from "./history";

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

/** Data that a handoff passes to a model node, besides the input of the node before it. */
export interface Handoff {
	/** The node that handed over. */
	readonly from: string;
	/** Messages, calls and results of the nodes before it. */
	readonly history: History;
	readonly note: string;
}

/** A retrieval of this run: the same node is not asked the same question twice. */
export interface RetrievalEntry {
	readonly key: string;
	readonly node: KnowledgeNode;
	readonly query: string;
	readonly waiters: Invocation[];
	passages: readonly RetrievedPassage[] | undefined;
	error: RunError | undefined;
}

/** The text of this invocation is sent as part of the answer while it comes in. */
export function streamsAnswer({ isTail, node }: Invocation): boolean {
	return isTail && node.continuations.length === 0 && node.modelSettings?.node.output === undefined;
}

/** Adds to the conversation of a model node. */
export function addMessage(invocation: Invocation, message: ChatMessage): void {
	invocation.messages.push(message);
	invocation.characters += message.content.length;
	if (message.role !== "assistant") return;
	for (const call of message.toolCalls ?? []) invocation.characters += call.arguments.length;
}
