import type { ModelPort, ResolvedModel } from "@stemma/engine";
import type { LocalPorts } from "@stemma/local";
import { meterModel } from "../models/metering/metered-model";
import { resolveRun } from "../models/resolve-run";
import type { LlmSettingsStore } from "../settings/llm-settings";
import {
	createRunRetriever,
	type ReadRunRequest,
	type RunRequest,
	type RunRetrieverOptions,
} from "./retrieval/run-retriever";

/** Options of the ports that give a graph the models and documents of its workspace. */
export interface ServicePortsOptions extends RunRetrieverOptions {
	readonly settings: Pick<LlmSettingsStore, "open">;
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
		retriever: createRunRetriever(options, readRunRequest),
	};
}

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
