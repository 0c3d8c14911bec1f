import type { Approval, Json, JsonObject, RunResult } from "@stemma/core";
import { type OpenCall, RunCalls } from "../run-calls";
import {
	type EncoderOptions,
	type EventEncoder,
	type FrontEndEvent,
	skipUntil,
	toErrorText,
} from "../run-events";
import type { AgUiEvent, AgUiInterrupt, AgUiMessage } from "./ag-ui-event";

/** Parts of a request that the events of its run refer to. */
export interface AgUiOptions extends EncoderOptions {
	readonly threadId: string;
	/** Id of the run, chosen by the page. */
	readonly runId: string;
	/** Messages of the request. They are sent once more where text turns out not to be the answer. */
	readonly messages?: readonly AgUiMessage[] | undefined;
	/** State of the request. It is kept, with `stemma` added. */
	readonly state?: JsonObject | undefined;
	/** Token with which a client key cancels the run. */
	readonly runToken?: string | undefined;
}

const PROTOCOL_VERSION = "1.0";

/** JSON Schema of the answer to an interrupt. */
const DECISION_SCHEMA: JsonObject = {
	type: "object",
	properties: { approved: { type: "boolean" }, reason: { type: "string" } },
	required: ["approved"],
};

/** Creates the encoder of one run for AG-UI 1.0: a reducer of its events, without I/O. Open approvals are interrupts. */
export function createAgUiEncoder(options: AgUiOptions): EventEncoder<AgUiEvent> {
	const state = new AgUiState(options);
	return skipUntil((event) => {
		state.events = [];
		state.read(event);
		return state.events;
	}, options.after);
}

class AgUiState {
	events: AgUiEvent[] = [];
	readonly #options: AgUiOptions;
	readonly #calls = new RunCalls();
	/** Reasoning that goes on, by invocation. */
	readonly #reasoning = new Map<number, { id: string; role: "reasoning"; content: string }>();
	/** Reasoning, calls and results of the run so far. */
	readonly #messages: AgUiMessage[] = [];
	#runId = "";
	/** True between a start and a pause: a run that was resumed after a crash has not ended before. */
	#isActive = false;
	#textId: string | undefined;

	constructor(options: AgUiOptions) {
		this.#options = options;
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
				return this.#addCall(this.#calls.add(event));
			case "node.started":
				return this.#startNode(this.#calls.start(event), event.mode);
			case "node.completed":
				this.#endReasoning(event.invocation);
				return this.#endCall(this.#calls.end(event.invocation), event.output);
			case "node.failed":
				this.#endReasoning(event.invocation);
				return this.#endCall(this.#calls.end(event.invocation), event.error.message);
			default:
				this.#readRunEvent(event);
		}
	}

	#readRunEvent(event: FrontEndEvent): void {
		switch (event.type) {
			case "run.started":
			case "run.resumed":
				return this.#start(event.run_id);
			case "run.paused":
				return this.#pause(event.result, event.seq);
			case "run.completed":
				this.#completeText(event.result.output, event.seq);
				return this.#finish(event.result, "success");
			case "run.cancelled":
				return this.#finish(event.result, "cancelled");
			case "run.failed":
				this.#endCalls();
				this.#addState(event.result);
				this.#push({ type: "RUN_ERROR", code: event.error.code, message: toErrorText(event.error) });
		}
	}

	#push(...events: readonly AgUiEvent[]): void {
		this.events.push(...events);
	}

	#toId = (part: string | number): string => `${this.#runId}.${part}`;

	#start(run_id: string): void {
		if (this.#isActive) return;
		this.#isActive = true;
		const { threadId, runId, state, runToken: run_token } = this.#options;
		this.#runId = run_id;
		const stemma = { run_id, ...(run_token !== undefined && { run_token }) };
		this.#push(
			{ type: "RUN_STARTED", threadId, runId, protocolVersion: PROTOCOL_VERSION },
			{ type: "STATE_SNAPSHOT", snapshot: { ...state, stemma } },
		);
	}

	#addText(delta: string, seq: number): void {
		if (this.#textId === undefined) {
			this.#textId = this.#toId(seq);
			this.#push({ type: "TEXT_MESSAGE_START", messageId: this.#textId, role: "assistant" });
		}
		this.#push({ type: "TEXT_MESSAGE_CONTENT", messageId: this.#textId, delta });
	}

	/** Takes the text back with a snapshot of all messages but it. */
	#resetText(): void {
		if (this.#textId === undefined) return;
		this.#endParts();
		const { messages = [] } = this.#options;
		const ids = new Set(messages.map(({ id }) => id));
		const own = this.#messages.filter(({ id }) => !ids.has(id));
		this.#push({ type: "MESSAGES_SNAPSHOT", messages: [...messages, ...own] });
	}

	/** Sends output that was not streamed as text. */
	#completeText(output: Json, seq: number): void {
		if (this.#textId !== undefined || output === null || output === "") return;
		this.#addText(toText(output), seq);
	}

	#addReasoning(invocation: number, delta: string, seq: number): void {
		let message = this.#reasoning.get(invocation);
		if (message === undefined) {
			message = { id: this.#toId(seq), role: "reasoning", content: "" };
			this.#reasoning.set(invocation, message);
			this.#messages.push(message);
			const { id: messageId, role } = message;
			this.#push(
				{ type: "REASONING_START", messageId },
				{ type: "REASONING_MESSAGE_START", messageId, role },
			);
		}
		message.content += delta;
		this.#push({ type: "REASONING_MESSAGE_CONTENT", messageId: message.id, delta });
	}

	#endReasoning(invocation: number): void {
		const messageId = this.#reasoning.get(invocation)?.id;
		if (messageId === undefined) return;
		this.#reasoning.delete(invocation);
		this.#push({ type: "REASONING_MESSAGE_END", messageId }, { type: "REASONING_END", messageId });
	}

	#endParts(): void {
		for (const invocation of this.#reasoning.keys()) this.#endReasoning(invocation);
		if (this.#textId !== undefined) this.#push({ type: "TEXT_MESSAGE_END", messageId: this.#textId });
		this.#textId = undefined;
	}

	#addCall({ id, callee: name, input }: OpenCall): void {
		const toolCallId = this.#toId(id);
		const parentMessageId = `${toolCallId}.message`;
		const toolCalls = [{ id: toolCallId, type: "function", function: { name, arguments: input } }];
		this.#messages.push({ id: parentMessageId, role: "assistant", toolCalls });
		this.#push(
			{ type: "TOOL_CALL_START", toolCallId, toolCallName: name, parentMessageId },
			{ type: "TOOL_CALL_ARGS", toolCallId, delta: input },
			{ type: "TOOL_CALL_END", toolCallId },
		);
	}

	#startNode(call: OpenCall | undefined, mode: string): void {
		if (mode === "handoff") this.#endCall(call, { handoff: call?.callee ?? "" });
	}

	#endCall(call: OpenCall | undefined, output: Json): void {
		if (call === undefined) return;
		const toolCallId = this.#toId(call.id);
		const result = { role: "tool", toolCallId, content: toText(output) } as const;
		const messageId = `${toolCallId}.result`;
		this.#messages.push({ id: messageId, ...result });
		this.#push({ type: "TOOL_CALL_RESULT", messageId, ...result });
	}

	/** Ends all parts of a run that has ended, and calls that it has not made. */
	#endCalls(): void {
		this.#endParts();
		for (const call of this.#calls.list())
			if (call.approvalId === undefined) this.#endCall(call, "The run ended first.");
	}

	#pause(result: RunResult, seq: number): void {
		this.#isActive = false;
		this.#endParts();
		const interrupts = (result.approvals ?? []).map((approval) => this.#toInterrupt(approval, seq));
		this.#addState(result);
		const { threadId, runId } = this.#options;
		// A caller who may not see approvals has nothing to answer.
		const outcome =
			interrupts.length > 0 ? ({ type: "interrupt", interrupts } as const) : ({ type: "success" } as const);
		this.#push({ type: "RUN_FINISHED", threadId, runId, outcome });
	}

	#toInterrupt(approval: Approval, seq: number): AgUiInterrupt {
		const { id, node, tool, expires_at, arguments: input } = approval;
		const call = this.#calls.getApproved(approval);
		call.approvalId = id;
		if (call.input === "") {
			call.input = JSON.stringify(input);
			this.#addCall(call);
		}
		return {
			id: `${this.#runId}.${seq}.${id}`,
			reason: "tool_call",
			message: `"${node}" needs an approval.`,
			toolCallId: this.#toId(call.id),
			responseSchema: DECISION_SCHEMA,
			expiresAt: expires_at,
			metadata: { stemma: { node, tool, arguments: input } },
		};
	}

	#addState({ run_id, status, citations, receipt, usage }: RunResult): void {
		// Results are JSON, which their types do not say.
		const stemma = { run_id, status, citations, receipt, usage } as unknown as JsonObject;
		this.#push({ type: "STATE_SNAPSHOT", snapshot: { ...this.#options.state, stemma } });
	}

	#finish(result: RunResult, type: "success" | "cancelled"): void {
		const { threadId, runId } = this.#options;
		this.#endCalls();
		this.#addState(result);
		this.#push({ type: "RUN_FINISHED", threadId, runId, outcome: { type }, result: result.output });
	}
}

const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
