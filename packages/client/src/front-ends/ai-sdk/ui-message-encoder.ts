import type {
	Approval,
	Citation,
	Json,
	JsonObject,
	RunError,
	RunResult,
	ToolSkippedEvent,
} from "@stemma/core";
import { type OpenCall, RunCalls } from "../run-calls";
import {
	type EncoderOptions,
	type EventEncoder,
	type FrontEndEvent,
	skipUntil,
	toErrorText,
} from "../run-events";
import type { RunMessageMetadata, UIMessageChunk } from "./ui-message-chunk";

/** Options of a UI message stream. */
export interface UIMessageOptions extends EncoderOptions {
	/** Metadata that the message starts with, beside the id of its run. */
	readonly metadata?: Partial<RunMessageMetadata> | undefined;
}

/**
 * Creates the encoder of one run for the UI message stream of the AI SDK: a reducer of its events, without I/O. The
 * message is named after the run. The answer has a step of its own, which `reset-step` empties where the text turns out not
 * to be the answer.
 */
export function createUIMessageEncoder({
	after,
	metadata,
}: UIMessageOptions = {}): EventEncoder<UIMessageChunk> {
	const state = new MessageState(metadata);
	return skipUntil((event) => {
		state.chunks = [];
		state.read(event);
		return state.chunks;
	}, after);
}

class MessageState {
	chunks: UIMessageChunk[] = [];
	readonly #metadata: Partial<RunMessageMetadata> | undefined;
	readonly #calls = new RunCalls();
	/** Ids of reasoning that goes on, by invocation. */
	readonly #reasoning = new Map<number, string>();
	#textId: string | undefined;
	/** True once the step in progress has parts. Undefined without a step: between a pause and the first part behind it. */
	#hasParts: boolean | undefined;
	#isPaused = false;
	#isStarted = false;

	constructor(metadata: Partial<RunMessageMetadata> | undefined) {
		this.#metadata = metadata;
	}

	read(event: FrontEndEvent): void {
		switch (event.type) {
			case "text.delta":
				this.#endReasoning(event.invocation);
				if (event.final) this.#addText(event.text, event.seq);
				return;
			case "text.reset":
				return this.#resetText();
			case "reasoning.delta":
				return this.#addReasoning(event.invocation, event.text, event.seq);
			case "tool.called":
				this.#endReasoning(event.invocation);
				return this.#addCall(this.#calls.add(event), event.arguments);
			case "tool.skipped":
				return this.#skipCall(event);
			case "node.started":
				return this.#startNode(this.#calls.start(event), event.mode, event.node);
			case "node.completed":
				this.#endReasoning(event.invocation);
				return this.#endCall(this.#calls.end(event.invocation), event.output);
			case "node.failed":
				this.#endReasoning(event.invocation);
				return this.#endCall(this.#calls.end(event.invocation), null, event.error);
			default:
				this.#readRunEvent(event);
		}
	}

	#readRunEvent(event: FrontEndEvent): void {
		switch (event.type) {
			case "run.started":
				this.#start(event.run_id, this.#metadata);
				return this.#openStep();
			case "run.resumed":
				this.#isPaused = false;
				// After a crash, it goes on where it was.
				return this.#isStarted ? undefined : this.#start(event.run_id);
			case "run.paused":
				this.#isPaused = true;
				this.#isStarted = false;
				this.#endParts();
				for (const approval of event.result.approvals ?? []) this.#requestApproval(approval);
				return this.#finish(event.result, "tool-calls", event.seq);
			case "run.completed":
				this.#completeText(event.result.output, event.seq);
				this.#addResult(event.result);
				return this.#finish(event.result, "stop");
			case "run.failed":
				this.#addResult(event.result);
				return this.#finish(event.result, "error");
			case "run.cancelled":
				this.#addResult(event.result);
				this.#push(toMetadata(event.result), { type: "abort", reason: "The run was cancelled." });
		}
	}

	#push(...chunks: readonly UIMessageChunk[]): void {
		this.chunks.push(...chunks);
	}

	#start(run_id: string, metadata?: Partial<RunMessageMetadata>): void {
		this.#isStarted = true;
		this.#push({ type: "start", messageId: run_id, messageMetadata: { run_id, ...metadata } });
	}

	/**
	 * Starts a step where there is none. Behind a pause, that is with the first new part: pages send decisions once the last
	 * step has nothing but decided calls, so calls that still wait have to be in it.
	 */
	#openStep(): void {
		if (this.#hasParts !== undefined) return;
		this.#hasParts = false;
		this.#push({ type: "start-step" });
	}

	#fillStep(): void {
		this.#openStep();
		this.#hasParts = true;
	}

	#endStep(): void {
		if (this.#hasParts !== undefined) this.#push({ type: "finish-step" });
		this.#hasParts = undefined;
	}

	#addText(delta: string, seq: number): void {
		if (this.#textId === undefined) {
			if (this.#hasParts) {
				this.#endParts();
				this.#endStep();
			}
			this.#fillStep();
			this.#textId = `text_${seq}`;
			this.#push({ type: "text-start", id: this.#textId });
		}
		this.#push({ type: "text-delta", id: this.#textId, delta });
	}

	#resetText(): void {
		if (this.#textId === undefined) return;
		this.#textId = undefined;
		this.#reasoning.clear();
		this.#hasParts = false;
		this.#push({ type: "reset-step" });
	}

	/** Sends output that was not streamed as text. */
	#completeText(output: Json, seq: number): void {
		if (this.#textId === undefined && (output ?? "") !== "")
			this.#addText(typeof output === "string" ? output : JSON.stringify(output), seq);
	}

	#addReasoning(invocation: number, delta: string, seq: number): void {
		let id = this.#reasoning.get(invocation);
		if (id === undefined) {
			id = `reasoning_${seq}`;
			this.#reasoning.set(invocation, id);
			this.#fillStep();
			this.#push({ type: "reasoning-start", id });
		}
		this.#push({ type: "reasoning-delta", id, delta });
	}

	#endReasoning(invocation: number): void {
		const id = this.#reasoning.get(invocation);
		if (id === undefined) return;
		this.#reasoning.delete(invocation);
		this.#push({ type: "reasoning-end", id });
	}

	#endParts(): void {
		for (const invocation of this.#reasoning.keys()) this.#endReasoning(invocation);
		if (this.#textId !== undefined) this.#push({ type: "text-end", id: this.#textId });
	}

	#addCall({ id: toolCallId, callee: toolName }: Pick<OpenCall, "id" | "callee">, input: Json): void {
		this.#fillStep();
		const call = { toolCallId, toolName, input, dynamic: true, providerExecuted: true } as const;
		this.#push({ type: "tool-input-available", ...call });
	}

	#skipCall({ callee, reason, seq }: Pick<ToolSkippedEvent, "callee" | "reason" | "seq">): void {
		const call = { id: `call_${seq}`, callee };
		this.#addCall(call, {});
		this.#push({ type: "tool-output-error", toolCallId: call.id, errorText: reason });
	}

	/** Ends the call with which a node handed over: its output is the answer. */
	#startNode(call: OpenCall | undefined, mode: string, node: string): void {
		if (call !== undefined && mode === "handoff")
			this.#push({ type: "tool-output-available", toolCallId: call.id, output: { handoff: node } });
	}

	#endCall(call: OpenCall | undefined, output: Json, error?: RunError): void {
		if (call === undefined) return;
		const { id: toolCallId, approvalId } = call;
		const isDenied = error?.code === "approval_denied";
		// A call that ends with its run may be one that nobody has decided on.
		if (approvalId !== undefined && error?.code !== "cancelled")
			this.#push({ type: "tool-approval-response", approvalId, approved: !isDenied });
		if (error === undefined) this.#push({ type: "tool-output-available", toolCallId, output });
		else if (isDenied) this.#push({ type: "tool-output-denied", toolCallId });
		else this.#push({ type: "tool-output-error", toolCallId, errorText: error.message });
	}

	/** Asks for an approval of the call as it will be made, with its fixed arguments. */
	#requestApproval(approval: Approval): void {
		const call = this.#calls.getApproved(approval);
		const input = JSON.stringify(approval.arguments);
		if (call.input !== input) this.#addCall(call, approval.arguments);
		call.input = input;
		call.approvalId = approval.id;
		this.#push({ type: "tool-approval-request", approvalId: approval.id, toolCallId: call.id });
	}

	/** Ends calls that were not made. What became of others is not known to callers who do not see the trace. */
	#endCalls(): void {
		const error = { code: "cancelled", message: "The run ended first." };
		for (const call of this.#calls.list())
			if (this.#isPaused || call.approvalId === undefined) this.#endCall(call, null, error);
	}

	#addResult({ citations, receipt }: RunResult): void {
		this.#endCalls();
		this.#openStep();
		this.#endParts();
		for (const citation of citations) this.#push(toSource(citation));
		if (receipt.length > 0) this.#push({ type: "data-receipt", id: "receipt", data: receipt });
	}

	/** Pages read nothing behind an error but how the message has finished. */
	#finish(result: RunResult, finishReason: "stop" | "tool-calls" | "error", seq?: number): void {
		const { error } = result;
		this.#endStep();
		this.#push(toMetadata(result, seq));
		if (error !== undefined) this.#push({ type: "error", errorText: toErrorText(error) });
		this.#push({ type: "finish", finishReason });
	}
}

const toMetadata = ({ run_id, status, usage, error }: RunResult, seq?: number): UIMessageChunk => ({
	type: "message-metadata",
	messageMetadata: { run_id, status, usage, ...(seq && { seq }), ...(error && { error_code: error.code }) },
});

function toSource(citation: Citation): UIMessageChunk {
	const { n, title, url } = citation;
	// A citation is JSON, which its type does not say.
	const providerMetadata = { stemma: citation as unknown as JsonObject };
	const source = { sourceId: `${n}`, title, providerMetadata };
	return url === undefined
		? { type: "source-document", mediaType: "text/plain", ...source }
		: { type: "source-url", url, ...source };
}
