import type { StemmaClient } from "../../client";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { Embeddings, EmbeddingsRequest } from "../../types/embeddings";

/** Embeddings by the service's model, in the format of OpenAI's API. */
export interface EmbeddingsApi {
	/** Creates embeddings. The call ends with its connection; a call that may have started is not retried. */
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
