import type { FoundPassage } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { MAX_TOP_K } from "@stemma/core";
import * as z from "zod";
import { resolveKnowledgeBases } from "../../answering/retrieval/knowledge-base-selection";
import { searchForCaller } from "../../answering/search-for-caller";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { useErrorFormat } from "../../http/errors/use-error-format";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { MAX_QUERY_CHARACTERS } from "../../validation/field-limits";
import { metadataCondition, toSearchFilter } from "./metadata-filter";
import { toRetrievalError } from "./retrieval-error";

const retrievalBody = z.strictObject({
	knowledge_id: z.string().min(1).max(100),
	query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS),
	retrieval_setting: z.strictObject({
		top_k: z.int().min(1).max(MAX_TOP_K),
		score_threshold: z.number().min(0).max(1).nullish(),
	}),
	metadata_condition: metadataCondition.nullish(),
});

/** Passage as Dify takes it. */
interface RetrievalRecord {
	readonly content: string;
	readonly score: number;
	readonly title: string;
	/** Metadata of the document, and where the passage is. */
	readonly metadata: JsonObject;
}

/** `POST /retrieval`: the external knowledge API of Dify, which finds passages of one knowledge base. */
export function addRetrievalRoute(app: ServiceApp): void {
	const requireSearch = requireCaller({
		sessions: false,
		scopes: ["ask", "knowledge:read"],
		clientKeys: true,
		clientSecrets: true,
	});

	app.post("/retrieval", useErrorFormat(toRetrievalError), requireSearch, async (context) => {
		const body = await readJson(context, retrievalBody);
		const { top_k, score_threshold } = body.retrieval_setting;
		const filter = body.metadata_condition == null ? undefined : toSearchFilter(body.metadata_condition);
		const scope = toScope(context);
		const request = {
			query: body.query,
			knowledge_base_ids: await resolveKnowledgeBases(scope, [body.knowledge_id]),
			top_k,
			// Dify sends 0 where its threshold is off.
			...(score_threshold != null && score_threshold > 0 && { min_score: score_threshold }),
			...(filter !== undefined && { filter }),
		};
		const { passages } = await searchForCaller(scope, request, scope.signal);
		return context.json({ records: scope.documentLinks.link(passages).map(toRecord) });
	});
}

function toRecord(passage: FoundPassage): RetrievalRecord {
	const { text: content, score, title, source, url, document_id, passage_id, place } = passage;
	return {
		...{ content, score, title },
		metadata: {
			...passage.metadata,
			...(source !== null && { source }),
			...(url !== undefined && { url }),
			...(place.page !== undefined && { page: place.page }),
			...{ document_id, passage_id },
		},
	};
}
