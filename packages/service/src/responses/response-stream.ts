import type { ChatToolCall, JsonObject, RunError } from "@stemma/core";
import type { ReplyEvent, ResponderReply } from "../replies/reply";
import {
	toAnnotations,
	toCallItem,
	toItemId,
	toMessageItem,
	toReasoningItem,
	toTextPart,
} from "./output-items";
import type { ResponseOutcome } from "./repositories/response-repository";
import { toResponse } from "./to-response";

/** Event of a streamed response. */
export interface ResponseEvent {
	readonly type: string;
	/** Counts from 0, without gaps. */
	readonly sequence_number: number;
	readonly [field: string]: unknown;
}

/** Encoder of one response: a reducer of the events of its reply, without I/O. */
export interface ResponseEncoder {
	encode(event: ReplyEvent): readonly ResponseEvent[];
	/** The last events, where the reply fails. */
	fail(error: Pick<RunError, "code" | "message" | "param">): readonly ResponseEvent[];
	/** The last event of a response that was stored without a reply. */
	end(outcome: Exclude<ResponseOutcome, { readonly status: "completed" }>): readonly ResponseEvent[];
}

/** Options of a streamed response. */
export interface ResponseStreamOptions {
	readonly id: string;
	readonly head: JsonObject;
	readonly canSeeReceipt: boolean;
}

/**
 * Creates the encoder of one response. Text that turns out not to be the answer ends as a message of its own, which the
 * completed response does not have.
 */
export function createResponseEncoder(options: ResponseStreamOptions): ResponseEncoder {
	const state = new ResponseState(options);
	return {
		encode: (event) => state.take(() => state.read(event)),
		fail: (error) => state.take(() => state.fail(error)),
		end: (outcome) => state.take(() => state.end(outcome)),
	};
}

/** Item that is being streamed. */
interface OpenItem {
	readonly id: string;
	readonly index: number;
	text: string;
}

class ResponseState {
	readonly #options: ResponseStreamOptions;
	#events: ResponseEvent[] = [];
	#count = 0;
	#itemCount = 0;
	#drafts = 0;
	#message: OpenItem | undefined;
	#reasoning: OpenItem | undefined;

	constructor(options: ResponseStreamOptions) {
		this.#options = options;
	}

	/** Returns the events that some work has sent. */
	take(work: () => void): readonly ResponseEvent[] {
		this.#events = [];
		if (this.#count === 0) {
			this.#push("response.created", { response: this.#toResponse({ status: "in_progress" }) });
			this.#push("response.in_progress", { response: this.#toResponse({ status: "in_progress" }) });
		}
		work();
		return this.#events;
	}

	read(event: ReplyEvent): void {
		switch (event.type) {
			case "start":
				return;
			case "text.delta":
				return this.#addText(event.text);
			case "text.reset":
				return this.#dropMessage();
			case "reasoning.delta":
				return this.#addReasoning(event.text);
			case "finish":
				return this.#finish(event.reply);
		}
	}

	fail({ code, message, param = null }: { code: string; message: string; param?: string | null }): void {
		const error = { type: "server_error", code, message, param };
		this.#push("error", { code, message, param, error });
		this.#push("response.failed", {
			response: this.#toResponse({ status: "failed", error: { code, message } }),
		});
	}

	/** Ends the stream; as a failed one for a cancelled response, too: OpenAI has no event of its own for it, and the response says what it is. */
	end(outcome: ResponseOutcome): void {
		this.#push("response.failed", { response: this.#toResponse(outcome) });
	}

	#push(type: string, fields: object): void {
		this.#events.push({ type, ...fields, sequence_number: this.#count++ });
	}

	#toResponse(outcome: ResponseOutcome): object {
		const { id, head, canSeeReceipt } = this.#options;
		return toResponse(head, outcome, { id, canSeeReceipt, drafts: this.#drafts });
	}

	#addItem(id: string, item: object): OpenItem {
		const open = { id, index: this.#itemCount++, text: "" };
		this.#push("response.output_item.added", { output_index: open.index, item });
		return open;
	}

	#addText(delta: string): void {
		this.#endReasoning();
		const message = this.#openMessage();
		message.text += delta;
		// There is one for each piece of text: without spread, it costs half.
		this.#events.push({
			type: "response.output_text.delta",
			item_id: message.id,
			output_index: message.index,
			content_index: 0,
			delta,
			logprobs: [],
			sequence_number: this.#count++,
		});
	}

	#openMessage(): OpenItem {
		if (this.#message !== undefined) return this.#message;
		const id = toItemId("msg", this.#options.id, this.#drafts);
		this.#message = this.#addItem(id, toMessageItem(id, "in_progress", []));
		this.#push("response.content_part.added", {
			...toTextPlace(this.#message),
			part: toTextPart({ text: "" }),
		});
		return this.#message;
	}

	#dropMessage(): void {
		const message = this.#message;
		if (message === undefined) return;
		this.#endMessage(message, { text: message.text }, "incomplete");
		this.#drafts += 1;
	}

	#endMessage(message: OpenItem, reply: Pick<ResponderReply, "text" | "answer">, status: string): void {
		this.#message = undefined;
		const place = toTextPlace(message);
		const part = toTextPart(reply);
		for (const [annotation_index, annotation] of toAnnotations(reply).entries())
			this.#push("response.output_text.annotation.added", { ...place, annotation_index, annotation });
		this.#push("response.output_text.done", { ...place, text: reply.text, logprobs: [] });
		this.#push("response.content_part.done", { ...place, part });
		this.#push("response.output_item.done", {
			output_index: message.index,
			item: toMessageItem(message.id, status, [part]),
		});
	}

	#addReasoning(delta: string): void {
		const id = toItemId("rs", this.#options.id, this.#itemCount);
		this.#reasoning ??= this.#addItem(id, toReasoningItem(id, "", "in_progress"));
		this.#reasoning.text += delta;
		this.#push("response.reasoning_text.delta", { ...toTextPlace(this.#reasoning), delta });
	}

	#endReasoning(): void {
		if (this.#reasoning === undefined) return;
		const { id, index, text } = this.#reasoning;
		this.#push("response.reasoning_text.done", { ...toTextPlace(this.#reasoning), text });
		const item = toReasoningItem(id, text, "completed");
		this.#push("response.output_item.done", { output_index: index, item });
		this.#reasoning = undefined;
	}

	#finish(reply: ResponderReply): void {
		this.#endReasoning();
		const { text, toolCalls, finishReason } = reply;
		const isCut = finishReason === "length" || finishReason === "filtered";
		if (text !== "" || toolCalls.length === 0)
			this.#endMessage(this.#openMessage(), reply, isCut ? "incomplete" : "completed");
		for (const [index, call] of toolCalls.entries()) this.#addCall(call, index);
		this.#push(isCut ? "response.incomplete" : "response.completed", {
			response: this.#toResponse({ status: "completed", reply }),
		});
	}

	#addCall(call: ChatToolCall, index: number): void {
		const id = toItemId("fc", this.#options.id, index);
		const item = toCallItem(id, call, this.#options.canSeeReceipt);
		const { index: output_index } = this.#addItem(id, { ...item, status: "in_progress", arguments: "" });
		const place = { item_id: id, output_index };
		this.#push("response.function_call_arguments.delta", { ...place, delta: call.arguments });
		this.#push("response.function_call_arguments.done", {
			...place,
			name: call.name,
			arguments: call.arguments,
		});
		this.#push("response.output_item.done", { output_index, item });
	}
}

const toTextPlace = ({ id, index }: OpenItem): object => ({
	item_id: id,
	output_index: index,
	content_index: 0,
});
