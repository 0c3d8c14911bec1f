import type { EdgeMode, NodeKind } from "../graph/agent-graph";
import type { Json, JsonObject } from "../json";
import type { RunError, RunResult, RunUsage } from "./run-result";

/** Origin of an invocation: the run's start, or the mode of the edge that led to it. */
export type InvocationMode = "start" | EdgeMode;

interface EventBase {
	readonly run_id: string;
	/** Sequence number, from 1, without gaps. */
	readonly seq: number;
	/** Epoch milliseconds in the engine; RFC 3339 on the wire. */
	readonly at: number;
}

interface NodeEventBase extends EventBase {
	readonly node: string;
	/** Unique in the run: a node that runs twice has two. */
	readonly invocation: number;
	/** The invocation that led to this one; none for the coordinator's first. */
	readonly parent?: number;
}

/** One thing that happened in a run. The same events drive streams, traces and logs. */
export type RunEvent =
	| RunStartedEvent
	| NodeStartedEvent
	| TextDeltaEvent
	| TextResetEvent
	| ReasoningDeltaEvent
	| ToolCalledEvent
	| ToolSkippedEvent
	| NodeCompletedEvent
	| NodeFailedEvent
	| RunPausedEvent
	| RunResumedEvent
	| RunEndEvent;

export interface RunStartedEvent extends EventBase {
	readonly type: "run.started";
	/** The graph's name. */
	readonly agent?: string;
}

export interface NodeStartedEvent extends NodeEventBase {
	readonly type: "node.started";
	readonly kind: NodeKind;
	readonly mode: InvocationMode;
	readonly input: Json;
}

export interface TextDeltaEvent extends NodeEventBase {
	readonly type: "text.delta";
	readonly text: string;
	/**
	 * Part of the run's answer: all final text since the last `text.reset` is the output, where that is text. Text that
	 * is not final carries run-wide citation numbers; final text the answer's own.
	 */
	readonly final: boolean;
}

/** The final text so far is not the answer after all: the node went on to call or to hand over. */
export interface TextResetEvent extends NodeEventBase {
	readonly type: "text.reset";
}

export interface ReasoningDeltaEvent extends NodeEventBase {
	readonly type: "reasoning.delta";
	readonly text: string;
}

export interface ToolCalledEvent extends NodeEventBase {
	readonly type: "tool.called";
	/** The node that is called. */
	readonly callee: string;
	readonly call_id: string;
	readonly arguments: JsonObject;
}

/** A call that the model asked for and that was not made. */
export interface ToolSkippedEvent extends NodeEventBase {
	readonly type: "tool.skipped";
	readonly callee: string;
	readonly call_id: string;
	readonly reason: string;
}

export interface NodeCompletedEvent extends NodeEventBase {
	readonly type: "node.completed";
	/** The node's value, after its `then` edges. */
	readonly output: Json;
	/** Tokens of this invocation's own model calls. */
	readonly usage: RunUsage;
	readonly ms: number;
	/** The reply was cut by length and stands as it is. */
	readonly truncated?: boolean;
}

export interface NodeFailedEvent extends NodeEventBase {
	readonly type: "node.failed";
	readonly error: RunError;
	readonly ms: number;
}

export interface RunPausedEvent extends EventBase {
	readonly type: "run.paused";
	readonly result: RunResult;
}

export interface RunResumedEvent extends EventBase {
	readonly type: "run.resumed";
}

/** The last event of a run. */
export type RunEndEvent =
	| (EventBase & { readonly type: "run.completed"; readonly result: RunResult })
	| (EventBase & { readonly type: "run.failed"; readonly error: RunError; readonly result: RunResult })
	| (EventBase & { readonly type: "run.cancelled"; readonly result: RunResult });
