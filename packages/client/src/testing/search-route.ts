import type { SearchRequest, SearchResult } from "../types/knowledge/search";
import { jsonResponse, type RequestHandler } from "./fake-response";
import type { FakeRoutes } from "./fake-routes";
import { fillPassage, withDocumentUrls } from "./scripts/fill";
import type { SearchScript } from "./scripts/script";
import type { ScriptQueue } from "./scripts/script-queue";

/** Options of the fake route that searches. */
export interface SearchRouteOptions {
	readonly scripts: ScriptQueue<SearchScript>;
	readonly handleUnscripted: RequestHandler;
	readonly isClientKey: boolean;
}

/** Default number of passages where a request gives none, as in a service. */
const DEFAULT_TOP_K = 8;

/** `POST /v1/search`. */
export function addSearchRoute(
	routes: FakeRoutes,
	{ scripts, handleUnscripted, isClientKey }: SearchRouteOptions,
): void {
	routes.on("POST /v1/search", async (request, params) => {
		const script = scripts.next();
		if (script === undefined) return handleUnscripted(request, params);
		const search = request.call.body as SearchRequest;
		const found = typeof script === "function" ? await script(search) : script;
		const filled = found
			.slice(0, search.top_k ?? DEFAULT_TOP_K)
			.map((passage, index) => fillPassage(passage, index, search.knowledge_base_ids?.[0]));
		const passages = isClientKey ? withDocumentUrls(filled) : filled;
		return jsonResponse({ passages, receipt: [] } satisfies SearchResult);
	});
}
