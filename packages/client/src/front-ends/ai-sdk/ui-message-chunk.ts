import type { Json, JsonObject, ReceiptRow, RunStatus, RunUsage } from "@stemma/core";

/** Metadata that messages of runs carry. */
export interface RunMessageMetadata {
	readonly run_id: string;
	/** Status, once the run has ended or paused. */
	readonly status?: RunStatus;
	/** Sequence number of the event with which the run paused; a request with decisions sends it back. */
	readonly seq?: number;
	readonly usage?: RunUsage;
	/** Code of the error of a failed run. */
	readonly error_code?: string;
	/** Token with which a client key resumes the run, in the header `stemma-run-token`. */
	readonly run_token?: string;
}

/** Chunk of the UI message stream of the AI SDK, version 1, of those that runs send. */
export type UIMessageChunk =
	| { readonly type: "start"; readonly messageId: string; readonly messageMetadata?: RunMessageMetadata }
	| { readonly type: "start-step" | "finish-step" | "reset-step" }
	| { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
	| { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
	| {
			readonly type: "tool-input-available";
			readonly toolCallId: string;
			readonly toolName: string;
			readonly input: Json;
			/** Tools are not known when the page is built. */
			readonly dynamic: true;
			/** The run calls them: the page does not. */
			readonly providerExecuted: true;
	  }
	| { readonly type: "tool-approval-request"; readonly approvalId: string; readonly toolCallId: string }
	| { readonly type: "tool-approval-response"; readonly approvalId: string; readonly approved: boolean }
	| { readonly type: "tool-output-available"; readonly toolCallId: string; readonly output: Json }
	| { readonly type: "tool-output-error"; readonly toolCallId: string; readonly errorText: string }
	| { readonly type: "tool-output-denied"; readonly toolCallId: string }
	| {
			readonly type: "source-url";
			readonly sourceId: string;
			readonly url: string;
			readonly title: string;
			readonly providerMetadata: { readonly stemma: JsonObject };
	  }
	| {
			readonly type: "source-document";
			readonly sourceId: string;
			readonly mediaType: string;
			readonly title: string;
			readonly providerMetadata: { readonly stemma: JsonObject };
	  }
	| { readonly type: "data-receipt"; readonly id: string; readonly data: readonly ReceiptRow[] }
	| { readonly type: "message-metadata"; readonly messageMetadata: RunMessageMetadata }
	| { readonly type: "error"; readonly errorText: string }
	| { readonly type: "abort"; readonly reason: string }
	| { readonly type: "finish"; readonly finishReason: "stop" | "tool-calls" | "error" };
