import type { RunInput } from "@stemma/client";
import type { ApprovalDecision, Json } from "@stemma/core";
import { readDepth } from "@stemma/protocol";
import { readTraceHeaders } from "@stemma/telemetry";
import type { Run } from "../../runs/run";
import type { HttpRequest } from "../http-exchange";
import { assertConversation } from "../request/run-request";
import { decideApprovals } from "./decide-approvals";
import { findAgent } from "./find-agent";
import { getRun, type RunRoutesOptions } from "./run-routes";

/** Runs as front ends ask for them. */
export interface FrontEndRuns {
	start(request: HttpRequest, agentId: string, input: RunInput): Promise<Run>;
	/** Decides on approvals of a run, which then goes on. */
	decide(request: { readonly run_id: string; readonly decisions: readonly ApprovalDecision[] }): Promise<Run>;
}

export const createFrontEndRuns = ({ catalog, registry, startRun }: RunRoutesOptions): FrontEndRuns => ({
	async start(request, agentId, { input: given, context }) {
		// Parsed from JSON, so it is.
		const input = given as Json;
		assertConversation(input);
		const entry = findAgent(catalog(), agentId);
		const depth = readDepth(request.header("stemma-depth"));
		const trace = readTraceHeaders((name) => request.header(name));
		return startRun(entry, { input, ...(context && { context }) }, depth, trace);
	},
	async decide({ run_id, decisions }) {
		const run = getRun(registry, run_id);
		await decideApprovals(registry, run, decisions);
		return run;
	},
});
