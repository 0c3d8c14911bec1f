import type { StemmaClient } from "../../client";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { SearchRequest, SearchResult } from "../../types/knowledge/search";

/** Finds passages. */
export type Search = (request: SearchRequest, options?: CallOptions) => Promise<WithRequestId<SearchResult>>;

export const search =
	(client: StemmaClient): Search =>
	(request, options) =>
		client.request({ method: "POST", path: "/v1/search", json: request, options });
