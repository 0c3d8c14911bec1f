import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { abortReason } from "@stemma/core/internal";
import { toReply } from "./to-reply";

/**
 * The built-in model: it needs no key and no network, understands nothing, and answers by quoting the sentences that
 * hold the question's words from the passages in the conversation. Asks knowledge bases once each, and at the top of a
 * run also other agents; never calls tools or remote agents and never hands over.
 */
export function createExtractiveModel(): ChatModel {
	return {
		provider: "extractive",
		model: "extractive",
		vendorHost: "",
		async generate(request, options) {
			throwIfAborted(options);
			return toReply(request);
		},
		stream,
	};
}

async function* stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatEvent> {
	throwIfAborted(options);
	const reply: ChatReply = toReply(request);
	for (const [text] of reply.text.matchAll(/\S+\s*|\s+/g)) {
		yield { type: "text.delta", text };
		throwIfAborted(options);
	}
	yield { type: "finish", reply };
}

/**
 * Throws the reason of the abort where the call was aborted. `throwIfAborted` and a default reason of the signal are
 * not used: React Native has neither.
 */
function throwIfAborted({ signal }: ChatCallOptions = {}): void {
	if (signal?.aborted) throw abortReason(signal);
}
