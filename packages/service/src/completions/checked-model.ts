import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { checkReply } from "./check-reply";
import { createJsonUnwrapper, unwrapJson } from "./json-text";

/**
 * A model whose replies keep to the choice of tools and to the output that were asked for: JSON comes without a code
 * fence around it, and a reply that keeps to neither is an error. In a stream, that error comes in the place of the end.
 */
export function checkModel(model: ChatModel): ChatModel {
	async function generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply> {
		return toChecked(request, await model.generate(request, options));
	}

	async function* stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatEvent> {
		const unwrapper = wantsJson(request) ? createJsonUnwrapper() : undefined;
		for await (const event of model.stream(request, options)) {
			if (event.type === "finish") {
				const rest = unwrapper?.end() ?? "";
				if (rest !== "") yield { type: "text.delta", text: rest };
				yield { type: "finish", reply: toChecked(request, event.reply) };
			} else if (event.type === "text.delta" && unwrapper !== undefined) {
				const text = unwrapper.push(event.text);
				if (text !== "") yield { type: "text.delta", text };
			} else yield event;
		}
	}

	return { ...model, generate, stream };
}

const wantsJson = ({ output, outputSchema }: ChatRequest): boolean =>
	output !== undefined || outputSchema !== undefined;

function toChecked(request: ChatRequest, reply: ChatReply): ChatReply {
	const checked = wantsJson(request) ? { ...reply, text: unwrapJson(reply.text) } : reply;
	checkReply(request, checked);
	return checked;
}
