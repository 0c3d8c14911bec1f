import type { ChatToolCall } from "@stemma/core";
import type { ReplyEvent, ResponderReply } from "../replies/reply";
import { type MessageContext, toBlockCitations, toMessageEnd, toMessageHead } from "./to-message";

/** Event of a streamed message. */
export interface MessageEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** Function that converts the events of one reply, in order, to those of a message. */
export type MessageEncoder = (event: ReplyEvent) => readonly MessageEvent[];

/**
 * Creates the encoder of one message: a reducer of the events of its reply, without I/O. Text that turns out not to be the
 * answer, which nobody can take back here, is a block of its own.
 */
export function createMessageEncoder(context: MessageContext): MessageEncoder {
	const state = new MessageState(context);
	return (event) => state.read(event);
}

const EMPTY_BLOCKS = {
	text: { type: "text", text: "" },
	thinking: { type: "thinking", thinking: "", signature: "" },
} as const;

class MessageState {
	readonly #context: MessageContext;
	#events: MessageEvent[] = [];
	#isStarted = false;
	#blocks = 0;
	/** Kind of the block that is open. */
	#open: "text" | "thinking" | undefined;

	constructor(context: MessageContext) {
		this.#context = context;
	}

	read(event: ReplyEvent): readonly MessageEvent[] {
		this.#events = [];
		this.#start();
		switch (event.type) {
			case "start":
				break;
			case "text.delta":
				this.#openBlock("text");
				this.#pushDelta({ type: "text_delta", text: event.text });
				break;
			case "reasoning.delta":
				this.#openBlock("thinking");
				this.#pushDelta({ type: "thinking_delta", thinking: event.text });
				break;
			case "text.reset":
				this.#close();
				break;
			case "finish":
				this.#finish(event.reply);
		}
		return this.#events;
	}

	#start(): void {
		if (this.#isStarted) return;
		this.#isStarted = true;
		const message = {
			...toMessageHead(this.#context),
			content: [],
			stop_reason: null,
			stop_sequence: null,
			usage: { input_tokens: 0, output_tokens: 0 },
		};
		this.#events.push({ type: "message_start", message });
	}

	#openBlock(kind: "text" | "thinking"): void {
		if (this.#open === kind) return;
		this.#close();
		this.#open = kind;
		const content_block = EMPTY_BLOCKS[kind];
		this.#events.push({ type: "content_block_start", index: this.#blocks, content_block });
	}

	#pushDelta(delta: object): void {
		this.#events.push({ type: "content_block_delta", index: this.#blocks, delta });
	}

	#close(): void {
		if (this.#open === undefined) return;
		this.#open = undefined;
		this.#events.push({ type: "content_block_stop", index: this.#blocks });
		this.#blocks += 1;
	}

	#finish(reply: ResponderReply): void {
		if (this.#open === "text")
			for (const citation of toBlockCitations(reply) ?? [])
				this.#pushDelta({ type: "citations_delta", citation });
		this.#close();
		for (const call of reply.toolCalls) this.#addCall(call);
		const { stop_reason, stop_sequence, ...end } = toMessageEnd(this.#context, reply);
		this.#events.push(
			{ type: "message_delta", delta: { stop_reason, stop_sequence }, ...end },
			{ type: "message_stop" },
		);
	}

	#addCall({ id, name, arguments: partial_json }: ChatToolCall): void {
		const index = this.#blocks++;
		this.#events.push(
			{ type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
			{ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } },
			{ type: "content_block_stop", index },
		);
	}
}
