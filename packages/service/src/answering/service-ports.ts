import type { ModelPort, ResolvedModel, Retriever } from "@stemma/engine";
import type { LocalPorts } from "@stemma/local";
import { ApiError } from "../http/api-error";
import type { Knowledge } from "../knowledge/knowledge";
import { type CallMeter, meterModel } from "../models/metered-model";
import type { Models } from "../models/models";

export interface ServicePortsOptions {
	readonly knowledge: Pick<Knowledge, "search" | "listModels">;
	readonly models: Models;
	readonly meter: CallMeter;
}

/** What a graph needs of the world, straight from the workspace that it runs in. */
export function createServicePorts(options: ServicePortsOptions): LocalPorts {
	return { models: createModelPort(options), retriever: createRetriever(options) };
}

function createModelPort({ knowledge, models, meter }: ServicePortsOptions): ModelPort {
	return {
		async resolve({ choice, knowledgeBases }): Promise<ResolvedModel> {
			const resolved = models.resolve({ choice, knowledgeBases: await knowledge.listModels(knowledgeBases) });
			return { ...resolved, model: meterModel(resolved, meter, "answer") };
		},
	};
}

function createRetriever({ knowledge }: ServicePortsOptions): Retriever {
	return {
		async retrieve({ query, knowledgeBases, topK, minScore }) {
			if (minScore !== undefined) throw minScoreUnavailable();
			const passages = await knowledge.search({ query, knowledge_base_ids: knowledgeBases, top_k: topK });
			return { passages };
		},
	};
}

export const minScoreUnavailable = (): ApiError =>
	new ApiError(422, "min_score_unavailable", "A minimum score needs a scoring stage, and none runs here.", {
		hint: "Passages are ranked by words, which gives no relevance between 0 and 1. Leave it out, or lower top_k.",
	});
