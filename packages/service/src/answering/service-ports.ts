import type { ModelPort, ResolvedModel, Retriever } from "@stemma/engine";
import type { LocalPorts } from "@stemma/local";
import type { Knowledge } from "../knowledge/knowledge";
import { collectReceipts } from "../models/collect-receipts";
import { type CallMeter, meterModel } from "../models/metered-model";
import type { Models } from "../models/models";
import type { WorkspaceCredential } from "../models/workspace-credential";
import type { LlmSettingsStore } from "../settings/llm-settings";
import { retrieve } from "./retrieve";

export interface ServicePortsOptions {
	readonly knowledge: Pick<Knowledge, "search" | "listModels">;
	readonly models: Models;
	readonly settings: Pick<LlmSettingsStore, "open">;
	readonly meter: CallMeter;
}

/** What a graph needs of the world, straight from the workspace that it runs in. */
export function createServicePorts(options: ServicePortsOptions): LocalPorts {
	/** Opened once: a run is answered by what was set when it began. */
	let opened: Promise<WorkspaceCredential | undefined> | undefined;
	const open = (): Promise<WorkspaceCredential | undefined> => {
		opened ??= options.settings.open();
		return opened;
	};
	return { models: createModelPort(options, open), retriever: createRetriever(options, open) };
}

type OpenSettings = LlmSettingsStore["open"];

function createModelPort({ knowledge, models, meter }: ServicePortsOptions, open: OpenSettings): ModelPort {
	return {
		async resolve({ choice, knowledgeBases }): Promise<ResolvedModel> {
			const resolved = models.resolve({
				choice,
				knowledgeBases: await knowledge.listModels(knowledgeBases),
				workspace: await open(),
			});
			return { ...resolved, model: meterModel(resolved, meter, "answer") };
		},
	};
}

function createRetriever({ knowledge, models, meter }: ServicePortsOptions, open: OpenSettings): Retriever {
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
					request: { knowledgeBases: await knowledge.listModels(knowledgeBases), workspace: await open() },
					meter: collected.meter,
					signal,
				},
			);
			const { passages } = await search.catch((error: unknown) => {
				// What was called before is paid for all the same.
				if (error instanceof Error) Object.assign(error, { receipt: collected.rows });
				throw error;
			});
			return { passages, receipt: collected.rows };
		},
	};
}
