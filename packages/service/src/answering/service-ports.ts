import type { AgentGraph } from "@stemma/core";
import type { ModelPort, ResolvedModel, Retriever } from "@stemma/engine";
import type { LocalPorts } from "@stemma/local";
import type { Knowledge } from "../knowledge/knowledge";
import { collectReceipts } from "../models/collect-receipts";
import { type CallMeter, meterModel } from "../models/metered-model";
import type { ModelRequest, Models } from "../models/models";
import type { LlmSettingsStore } from "../settings/llm-settings";
import { retrieve } from "./retrieve";

export interface ServicePortsOptions {
	readonly knowledge: Pick<Knowledge, "search" | "listModels">;
	readonly models: Models;
	readonly settings: Pick<LlmSettingsStore, "open">;
	readonly meter: CallMeter;
	/** What is run. */
	readonly graph: AgentGraph;
}

/** What a graph needs of the world, straight from the workspace that it runs in. */
export function createServicePorts(options: ServicePortsOptions): LocalPorts {
	const { knowledge, settings, graph } = options;
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
	const coordinator = graph.nodes.find(({ kind }) => kind === "coordinator");
	const choice = coordinator !== undefined && "model" in coordinator ? coordinator.model : undefined;
	return { models: createModelPort(options, decide), retriever: createRetriever(options, decide, choice) };
}

type RunRequest = Pick<ModelRequest, "knowledgeBases" | "workspace">;

/** @param ids - of all knowledge bases that the coordinator reaches; they count the first time, before the run begins. */
type DecideRun = (ids: readonly string[]) => Promise<RunRequest>;

function createModelPort({ models, meter }: ServicePortsOptions, decide: DecideRun): ModelPort {
	return {
		async resolve({ choice, knowledgeBases }): Promise<ResolvedModel> {
			const resolved = models.resolve({ choice, ...(await decide(knowledgeBases)) });
			return { ...resolved, model: meterModel(resolved, meter, "answer") };
		},
	};
}

/** Passages are judged by the model that the coordinator has. */
function createRetriever(
	{ knowledge, models, meter }: ServicePortsOptions,
	decide: DecideRun,
	choice: ModelRequest["choice"],
): Retriever {
	return {
		async retrieve({ runId, node, query, knowledgeBases, topK, minScore }, { signal }) {
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
					request: { choice, ...(await decide(knowledgeBases)) },
					embedded: await knowledge.listModels(knowledgeBases),
					meter: collected.meter,
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
