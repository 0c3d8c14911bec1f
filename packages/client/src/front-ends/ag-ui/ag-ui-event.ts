import type { Json, JsonObject } from "@stemma/core";

/** Message of a conversation as AG-UI has it. */
export interface AgUiMessage {
	readonly id: string;
	readonly role: string;
	readonly [field: string]: unknown;
}

/** Interrupt of a run: it waits for the decision on one approval. */
export interface AgUiInterrupt {
	readonly id: string;
	readonly reason: "tool_call";
	readonly message: string;
	readonly toolCallId: string;
	readonly responseSchema: JsonObject;
	readonly expiresAt: string;
	/** The call as it will be made: `{node, tool, arguments}`. */
	readonly metadata: { readonly stemma: JsonObject };
}

type AgUiOutcome =
	| { readonly type: "success" | "cancelled" }
	| { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] };

/** Event of AG-UI 1.0, of those that runs send. */
export type AgUiEvent =
	| {
			readonly type: "RUN_STARTED";
			readonly threadId: string;
			readonly runId: string;
			readonly protocolVersion: string;
	  }
	| {
			readonly type: "RUN_FINISHED";
			readonly threadId: string;
			readonly runId: string;
			readonly outcome: AgUiOutcome;
			readonly result?: Json;
	  }
	| { readonly type: "RUN_ERROR"; readonly message: string; readonly code: string }
	| { readonly type: "TEXT_MESSAGE_START"; readonly messageId: string; readonly role: "assistant" }
	| { readonly type: "REASONING_MESSAGE_START"; readonly messageId: string; readonly role: "reasoning" }
	| {
			readonly type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT";
			readonly messageId: string;
			readonly delta: string;
	  }
	| {
			readonly type: "TEXT_MESSAGE_END" | "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END";
			readonly messageId: string;
	  }
	| {
			readonly type: "TOOL_CALL_START";
			readonly toolCallId: string;
			readonly toolCallName: string;
			readonly parentMessageId: string;
	  }
	| { readonly type: "TOOL_CALL_ARGS"; readonly toolCallId: string; readonly delta: string }
	| { readonly type: "TOOL_CALL_END"; readonly toolCallId: string }
	| {
			readonly type: "TOOL_CALL_RESULT";
			readonly messageId: string;
			readonly toolCallId: string;
			readonly content: string;
			readonly role: "tool";
	  }
	| { readonly type: "STATE_SNAPSHOT"; readonly snapshot: JsonObject }
	| { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly AgUiMessage[] };
