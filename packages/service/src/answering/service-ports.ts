import type { ModelPort, ResolvedModel, Retriever } from "@stemma/engine";
import type { LocalPorts } from "@stemma/local";
import type { Knowledge } from "../knowledge/knowledge";
import { collectReceipts } from "../models/collect-receipts";
import { type CallMeter, meterModel } from "../models/metered-model";
import type { ModelRequest, Models } from "../models/models";
import { resolveRun } from "../models/resolve-run";
import type { LlmSettingsStore } from "../settings/llm-settings";
import { retrieve } from "./retrieve";
import { meterWithin } from "./trace-retrieval";

export interface ServicePortsOptions {
	readonly knowledge: Pick<Knowledge, "search" | "listModels">;
	readonly models: Models;
	readonly settings: Pick<LlmSettingsStore, "open">;
	readonly meter: CallMeter;
}

/** What a graph needs of the world, straight from the workspace that it runs in. */
export function createServicePorts(options: ServicePortsOptions): LocalPorts {
	const { knowledge, settings } = options;
	/** Read once: a run is answered by what was set when it began, and each of its nodes by all knowledge bases. */
	let read: Promise<RunRequest> | undefined;
	async function readRequest(ids: readonly string[]): Promise<RunRequest> {
		const [knowledgeBases, workspace] = await Promise.all([knowledge.listModels(ids), settings.open()]);
		return { knowledgeBases, workspace };
	}
	const decide: DecideRun = (ids) => {
		read ??= readRequest(ids);
		return read;
	};
	return { models: createModelPort(options, decide), retriever: createRetriever(options, decide) };
}

type RunRequest = Pick<ModelRequest, "knowledgeBases" | "workspace">;

/** @param ids - of all knowledge bases that the coordinator reaches; they count the first time, before the run begins. */
type DecideRun = (ids: readonly string[]) => Promise<RunRequest>;

function createModelPort({ models, meter }: ServicePortsOptions, decide: DecideRun): ModelPort {
	const toMetered = (resolved: ResolvedModel): ResolvedModel => ({
		...resolved,
		model: meterModel(resolved, meter, "answer"),
	});
	return {
		resolve: async ({ choice, knowledgeBases }) =>
			toMetered(models.resolve({ choice, ...(await decide(knowledgeBases)) })),
		resolveAll: async ({ nodes, knowledgeBases }) =>
			resolveRun(models, nodes, await decide(knowledgeBases)).map(toMetered),
	};
}

/** Passages are judged by the model that the coordinator has. */
function createRetriever({ knowledge, models, meter }: ServicePortsOptions, decide: DecideRun): Retriever {
	return {
		async retrieve(asked, { signal, traceContext }) {
			const { runId, node, query, knowledgeBases, topK, minScore, choice, runKnowledgeBases } = asked;
			const collected = collectReceipts(meter, { runId, node });
			const search = retrieve(
				{
					queries: [query],
					knowledge_base_ids: knowledgeBases,
					top_k: topK,
					scoring: "wanted",
					...(minScore !== undefined && { min_score: minScore }),
				},
				{
					knowledge,
					models,
					request: { choice, ...(await decide(runKnowledgeBases)) },
					embedded: await knowledge.listModels(knowledgeBases),
					meter: meterWithin(collected.meter, traceContext),
					signal,
				},
			);
			const { passages } = await search.catch((error: unknown) => {
				// What was called before is paid for all the same.
				if (error instanceof Error && !signal.aborted) Object.assign(error, { receipt: collected.rows });
				throw error;
			});
			return { passages, receipt: collected.rows };
		},
	};
}
