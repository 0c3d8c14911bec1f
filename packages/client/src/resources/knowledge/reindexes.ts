import type { StemmaClient } from "../../client";
import { path } from "../../http/path";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { Reindex, ReindexRequest } from "../../types/knowledge/reindex";

/**
 * Moves of knowledge bases to another embedding space. They need the scopes `knowledge:write` and
 * `settings:write`; `get` needs `knowledge:read`.
 */
export interface Reindexes {
	/** Plans a move: how much it would cost, and who would pay. Nothing starts. */
	plan(
		knowledgeBaseId: string,
		request?: ReindexRequest,
		options?: CallOptions,
	): Promise<WithRequestId<Reindex>>;
	/**
	 * Starts a move, or resumes one that is paused. It runs in the background.
	 *
	 * @throws ApiError `payer_changed` (409) where another than `payer` would pay; `reindex_not_needed`, `reindex_running`,
	 * `nothing_to_undo` (409); `embeddings_not_configured` (422).
	 */
	start(
		knowledgeBaseId: string,
		request?: ReindexRequest,
		options?: CallOptions,
	): Promise<WithRequestId<Reindex>>;
	/** Gets the last move; `idle` where there is none. */
	get(knowledgeBaseId: string, options?: CallOptions): Promise<WithRequestId<Reindex>>;
	/** Cancels a move, or drops the former vectors that a completed one keeps. @throws ApiError `reindex_not_found` (404) */
	drop(knowledgeBaseId: string, options?: CallOptions): Promise<WithRequestId<Reindex>>;
}

export function reindexes(client: StemmaClient): Reindexes {
	const send = (
		method: "POST" | "GET" | "DELETE",
		base: string,
		options?: CallOptions,
		body: { readonly json?: object } = {},
	) => client.request<Reindex>({ method, path: path`/v1/knowledge-bases/${base}/reindex`, ...body, options });
	return {
		plan: (base, request, options) => send("POST", base, options, { json: { ...request, dry_run: true } }),
		start: (base, json = {}, options) => send("POST", base, options, { json }),
		get: (base, options) => send("GET", base, options),
		drop: (base, options) => send("DELETE", base, options),
	};
}
