import { clock } from "@stemma/core/internal";
import type { RunLog } from "@stemma/runs";
import { createId } from "../create-id";
import type { PassageEmbedder } from "../knowledge/embeddings/passage-embedder";
import type { LlmSettingsStore } from "../settings/llm-settings";
import type { ServiceMetrics } from "../telemetry/service-metrics";
import type { CallMeter } from "./metering/call-meter";
import { meterEmbeddings } from "./metering/metered-embeddings";
import type { Models } from "./models";

/** Options of embedding a workspace's passages on the key that pays at that moment. */
export interface WorkspaceEmbedderOptions {
	readonly workspaceId: string;
	readonly models: Models;
	readonly settings: Pick<LlmSettingsStore, "open">;
	/** Keeps the receipts. */
	readonly log: Pick<RunLog, "appendReceipt">;
	readonly countCall: ServiceMetrics["countCall"];
}

/** Makes the vectors of a workspace's passages, on the key that pays for them by then; undefined where nothing makes any. */
export function createWorkspaceEmbedder({
	workspaceId,
	models,
	settings,
	log,
	countCall,
}: WorkspaceEmbedderOptions): PassageEmbedder | undefined {
	const { space } = models;
	if (space === undefined) return undefined;
	const meter: CallMeter = {
		...createIndexMeter({ log, countCall }),
		computeCost: models.computeCost,
		embedded: models.embedded?.forWorkspace(workspaceId, "documents"),
	};
	async function plan() {
		const workspace = await settings.open();
		const [row] = models.plan(["index"], { workspace });
		if (row === undefined) throw new Error("There is a row for each stage.");
		return { row, workspace };
	}
	return {
		space,
		async plan() {
			const { payer, reason } = (await plan()).row;
			return { payer, reason };
		},
		async embed(texts, signal) {
			const { row, workspace } = await plan();
			const model = meterEmbeddings(models.embedding(row, workspace), row, meter);
			return (await model.embed(texts, { signal })).vectors;
		},
	};
}

/** Documents are taken in for nobody's budget. */
const createIndexMeter = ({
	log,
	countCall,
}: Pick<WorkspaceEmbedderOptions, "log" | "countCall">): CallMeter => ({
	limitOutput: async (_, requested) => requested,
	reserve: async () => () => undefined,
	toCallerError: (error) => error,
	onReceipt(row, { isFailed = false } = {}) {
		countCall(row, isFailed);
		log.appendReceipt({ id: createId("rcp"), runId: null, at: clock.now(), receipt: JSON.stringify(row) });
	},
});
