import type { StemmaClient } from "../client";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Embeddings, EmbeddingsRequest } from "../types/embeddings";

/** The service's embedding model, as OpenAI's API has it. */
export interface EmbeddingsApi {
	/** Ends with its connection; a call that may have begun is not repeated. */
	create(request: EmbeddingsRequest, options?: CallOptions): Promise<WithRequestId<Embeddings>>;
}

export function embeddings(client: StemmaClient): EmbeddingsApi {
	return {
		create: (request, options) =>
			client.request({
				method: "POST",
				path: "/v1/embeddings",
				json: request,
				retry: "if-not-started",
				options,
			}),
	};
}
