import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import type { WorkspaceSchemaChecker } from "../schema-check/schema-checker";
import { createJsonUnwrapper, unwrapJson } from "./unwrap-json";
import { validateReply } from "./validate-reply";

/**
 * A model whose replies keep to the choice of tools and to the output that were asked for: JSON comes without a code
 * fence around it, and a reply that keeps to neither is an error. In a stream, that error comes in the place of the end.
 */
export function withReplyValidation(model: ChatModel, schemas: WorkspaceSchemaChecker): ChatModel {
	async function generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply> {
		const reply = await model.generate(request, options);
		const validated = wantsJson(request) ? { ...reply, text: unwrapJson(reply.text) } : reply;
		await validateReply(request, validated, schemas);
		return validated;
	}

	async function* stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatEvent> {
		const events = model.stream(request, options);
		for await (const event of wantsJson(request) ? unwrapStream(events) : events) {
			if (event.type === "finish") await validateReply(request, event.reply, schemas);
			yield event;
		}
	}

	return { ...model, generate, stream };
}

const wantsJson = ({ output, outputSchema }: ChatRequest): boolean =>
	output !== undefined || outputSchema !== undefined;

/** The events of a stream without the fence around their text. The reply at its end has the text that was streamed. */
async function* unwrapStream(events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
	const unwrapper = createJsonUnwrapper();
	let streamed = "";
	function* emit(text: string): Generator<ChatEvent> {
		streamed += text;
		if (text !== "") yield { type: "text.delta", text };
	}
	for await (const event of events) {
		if (event.type === "text.delta") yield* emit(unwrapper.push(event.text));
		else if (event.type === "finish") {
			yield* emit(unwrapper.end());
			yield { ...event, reply: { ...event.reply, text: streamed } };
		} else yield event;
	}
}
