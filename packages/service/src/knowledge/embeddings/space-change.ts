import type { JsonObject, RunError } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";
import type { PinnedSpace } from "./pinned-space";

/**
 * The vectors of a knowledge base cannot be compared with what would be made now.
 *
 * @param configured - `null`: no embedding model is.
 */
export function describeSpaceChange(pinned: PinnedSpace, configured: EmbeddingSpace | null): RunError {
	const now =
		configured === null
			? "no embedding model is configured now"
			: `the embedding model is now ${toSpaceLabel(configured, configured.dimensions)}`;
	return {
		code: "embedding_space_changed",
		message: `The vectors of this knowledge base were made by ${toSpaceLabel(pinned, pinned.length)}, but ${now}.`,
		hint:
			"Move the knowledge base with `stemma kb reindex` or POST /v1/knowledge-bases/<id>/reindex, or have the former" +
			" embedding model configured again. Vectors of two models cannot be compared.",
	};
}

/** Returns the details of a space that a caller may see. */
export const toSpaceDetails = ({ base_url, model }: EmbeddingSpace, dimensions?: number): JsonObject => ({
	model,
	vendor_host: toVendorHost(base_url),
	...(dimensions !== undefined && { dimensions }),
});

const toSpaceLabel = ({ base_url, model }: EmbeddingSpace, dimensions: number | undefined): string =>
	`${model}${base_url === "" ? "" : ` at ${toVendorHost(base_url)}`}${dimensions === undefined ? "" : ` (${dimensions} dimensions)`}`;

/** Returns the host of an address, or the address itself where it has none. */
export const toVendorHost = (baseUrl: string): string =>
	URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
