import type { ModelPort, ResolvedModel, Retriever } from "@stemma/engine";
import type { LocalPorts } from "@stemma/local";
import type { Knowledge } from "../knowledge/knowledge";
import type { CallMeter } from "../models/call-meter";
import { collectReceipts } from "../models/call-meter";
import { meterModel } from "../models/metered-model";
import type { ModelRequest, Models } from "../models/models";
import { resolveRun } from "../models/resolve-run";
import type { LlmSettingsStore } from "../settings/llm-settings";
import { planSearch } from "./question-plan";
import { retrieve } from "./retrieve";
import { withMeterParent } from "./retrieve-traced";

/** Options of the ports that give a graph the models and documents of its workspace. */
export interface ServicePortsOptions {
	readonly knowledge: Pick<Knowledge, "search" | "listKnowledgeBaseModels">;
	readonly models: Models;
	readonly settings: Pick<LlmSettingsStore, "open">;
	readonly meter: CallMeter;
	/**
	 * Resolves the knowledge bases that a node names to ids, each time it reads: a slug may have gone to another one since.
	 *
	 * @throws DomainError `knowledge_base_not_found` for those that the caller may not see.
	 */
	readonly resolveKnowledgeBases: (idsOrSlugs: readonly string[]) => Promise<readonly string[]>;
}

/** Creates the ports of a graph from the workspace that it runs in. */
export function createServicePorts(options: ServicePortsOptions): LocalPorts {
	const { knowledge, settings } = options;
	/** Read once: a run is answered by what was set when it began, and each of its nodes by all knowledge bases. */
	let runRequest: Promise<RunRequest> | undefined;
	async function readRequest(ids: readonly string[]): Promise<RunRequest> {
		const [knowledgeBases, workspace] = await Promise.all([
			knowledge.listKnowledgeBaseModels(ids),
			settings.open(),
		]);
		return { knowledgeBases, workspace };
	}
	const readRunRequest: ReadRunRequest = (ids) => {
		runRequest ??= readRequest(ids);
		return runRequest;
	};
	return {
		models: createModelPort(options, readRunRequest),
		retriever: createRetriever(options, readRunRequest),
	};
}

type RunRequest = Pick<ModelRequest, "knowledgeBases" | "workspace">;

/** @param ids - of all knowledge bases that the coordinator reaches; they count the first time, before the run begins. */
type ReadRunRequest = (ids: readonly string[]) => Promise<RunRequest>;

function createModelPort({ models, meter }: ServicePortsOptions, readRunRequest: ReadRunRequest): ModelPort {
	const withMeter = (resolved: ResolvedModel): ResolvedModel => ({
		...resolved,
		model: meterModel(resolved, meter, "answer"),
	});
	return {
		resolve: async ({ choice, knowledgeBases }) =>
			withMeter(models.resolve({ choice, ...(await readRunRequest(knowledgeBases)) })),
		resolveAll: async ({ nodes, knowledgeBases }) =>
			resolveRun(models, nodes, await readRunRequest(knowledgeBases)).map(withMeter),
	};
}

/** Passages are judged by the model that the coordinator has. */
function createRetriever(
	{ knowledge, models, meter, resolveKnowledgeBases }: ServicePortsOptions,
	readRunRequest: ReadRunRequest,
): Retriever {
	return {
		async retrieve(retrieval, { signal, traceContext }) {
			const { runId, node, query, history, knowledgeBases, topK, minScore, choice, runKnowledgeBases } =
				retrieval;
			const receipts = collectReceipts(meter, { runId, node });
			const ids = await resolveKnowledgeBases(knowledgeBases);
			const search = retrieve(
				{
					queries: [query],
					history,
					knowledge_base_ids: ids,
					top_k: topK,
					...(minScore !== undefined && { min_score: minScore }),
				},
				{
					knowledge,
					models,
					plan: planSearch(
						models,
						{ choice, ...(await readRunRequest(runKnowledgeBases)) },
						{
							searchedKnowledgeBases: await knowledge.listKnowledgeBaseModels(ids),
							min_score: minScore,
						},
					),
					meter: withMeterParent(receipts.meter, traceContext),
					signal,
				},
			);
			const { passages } = await search.catch((error: unknown) => {
				// What was called before is paid for all the same.
				if (error instanceof Error && !signal.aborted) Object.assign(error, { receipt: receipts.rows });
				throw error;
			});
			return { passages, receipt: receipts.rows };
		},
	};
}
