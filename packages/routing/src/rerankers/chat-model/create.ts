import type { ChatCallOptions, ChatModel } from "@stemma/core";
import type { Reranker, RerankReply } from "../../reranker";
import { emptyRerank } from "../empty-rerank";
import { fromResponse } from "./from-response";
import { createFallbackGenerate } from "./generate-with-fallback";
import { type ChatRerankerOptions, readOptions } from "./options";
import { toRequest } from "./to-request";

/**
 * A chat model as a reranker: one call for all texts, which it scores from 0 to 4. An answer that is no list of scores,
 * or that was cut off or withheld, gives `scores: undefined`, with usage and attempts. Where the model takes no temperature or no output schema, it is
 * asked again without, and from then on. Calls fail as those of the model do.
 *
 * @throws ConfigurationError that names the option.
 */
export function createChatReranker(model: ChatModel, options: ChatRerankerOptions = {}): Reranker {
	const { maxTextCharacters } = readOptions(options);
	const generate = createFallbackGenerate(model);

	async function rerank(
		query: string,
		texts: readonly string[],
		callOptions: ChatCallOptions = {},
	): Promise<RerankReply> {
		if (texts.length === 0) return emptyRerank(callOptions.signal);
		const reply = await generate(toRequest(query, texts, maxTextCharacters), callOptions);
		const { text, finishReason, usage, attempts = 1 } = reply;
		const scores = finishReason === "stop" ? fromResponse(text, texts.length) : undefined;
		return { scores, ...(usage === undefined ? {} : { usage }), attempts };
	}

	return { provider: model.provider, model: model.model, vendorHost: model.vendorHost, rerank };
}
