import type { Reranker } from "../../reranker";
import { createBatchReranker } from "../batch-reranker";
import { fromResponse } from "./from-response";
import { readError } from "./map-error";
import { type CohereRerankerOptions, readOptions } from "./options";
import type { VendorShape } from "./vendors";

/**
 * A reranker of Cohere's format: Cohere v2, Jina, Voyage, Together, llama.cpp, vLLM, and gateways. Texts without a score
 * fail the call (`bad_response`); raw scores become 0 to 1 by the logistic function. Calls fail with a `ProviderError`;
 * an aborted one with the reason of its signal.
 *
 * Source: Cohere API v2, "Rerank"; Voyage "Rerankers"; llama.cpp `tools/server`, `/v1/rerank`.
 *
 * @throws ConfigurationError that names the option.
 */
export function createCohereReranker(options: CohereRerankerOptions): Reranker {
	const settings = readOptions(options);
	return createBatchReranker(
		{
			provider: "cohere",
			toRequest: (query, texts) => toRequest(settings.model, settings.shape, query, texts),
			fromResponse,
			readError,
		},
		settings,
	);
}

/** The body of a request: a score for each text is asked for, so that no default leaves any out. */
const toRequest = (
	model: string,
	{ limitField, fields }: VendorShape,
	query: string,
	texts: readonly string[],
): object => ({ model, query, documents: texts, [limitField]: texts.length, ...fields });
