import type { SearchRequest, SearchResult } from "../types/search";
import { type Answerer, answerJson } from "./fake-answer";
import type { FakeRoutes } from "./fake-routes";
import { fillPassage } from "./fill";
import type { SearchScript } from "./script";

export interface SearchRouteOptions {
	/** The script for the next search. */
	readonly takeScript: () => SearchScript | undefined;
	readonly answerUnscripted: Answerer;
}

/** As many as a service finds where a request names no number. */
const DEFAULT_TOP_K = 8;

/** `POST /v1/search`. */
export function addSearchRoute(
	routes: FakeRoutes,
	{ takeScript, answerUnscripted }: SearchRouteOptions,
): void {
	routes.on("POST /v1/search", async (request, names) => {
		const script = takeScript();
		if (script === undefined) return answerUnscripted(request, names);
		const search = request.call.body as SearchRequest;
		const said = typeof script === "function" ? await script(search) : script;
		const passages = said
			.slice(0, search.top_k ?? DEFAULT_TOP_K)
			.map((passage, index) => fillPassage(passage, index, search.knowledge_base_ids?.[0]));
		return answerJson({ passages, receipt: [] } satisfies SearchResult);
	});
}
