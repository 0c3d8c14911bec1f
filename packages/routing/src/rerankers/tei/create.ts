import type { Reranker } from "../../reranker";
import { createBatchReranker } from "../batch-reranker";
import { fromResponse } from "./from-response";
import { readError } from "./map-error";
import { readOptions, type TeiRerankerOptions } from "./options";
import { toRequest } from "./to-request";

/**
 * A reranker at a server of Hugging Face's text-embeddings-inference. Long texts are cut to what its model takes. Calls
 * fail with a `ProviderError`; an aborted one with the reason of its signal.
 *
 * Source: text-embeddings-inference, OpenAPI, `/rerank`.
 *
 * @throws ConfigurationError that names the option.
 */
export function createTeiReranker(options: TeiRerankerOptions): Reranker {
	return createBatchReranker({ provider: "tei", toRequest, fromResponse, readError }, readOptions(options));
}
