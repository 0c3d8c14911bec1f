import type { Json, JsonObject, RunResult, TraceContext } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import type { AgentCallOptions, AgentOutcome, AgentPort } from "@stemma/local";
import { parseEvent } from "@stemma/runs";
import type { Runs } from "../runs/runs";

/** Request of a graph's node to run another agent of the workspace. */
export interface NestedRun {
	readonly agentIdOrSlug: string;
	readonly input: Json;
	readonly context: JsonObject;
	readonly untrustedContext: boolean;
	/** The id of the run that needs it. */
	readonly parentRunId: string;
	/** The call that it is for. */
	readonly traceContext: TraceContext | undefined;
}

/** Starts a run of an agent of the workspace, and gives its id. @throws DomainError where it may not be. */
export type StartNestedRun = (run: NestedRun) => Promise<string>;

/** Agents of the same workspace, for `remote` nodes: each call is a run of its own, in the list of runs like any other. */
export const createNestedAgentPort = (
	runs: Pick<Runs, "watch" | "cancel">,
	start: StartNestedRun,
): AgentPort => ({
	async run(
		{ runId: parentRunId, agent, node, secret, input, context = {}, untrustedContext = false },
		call,
	) {
		if (!("agentId" in agent)) throw new Error(`The node ${quote(node)} names no agent of the service.`);
		if (secret !== undefined) throw unusedSecret(node);
		call.signal.throwIfAborted();
		const { traceContext } = call;
		const agentIdOrSlug = agent.agentId;
		const nested = { agentIdOrSlug, input, context, untrustedContext, parentRunId, traceContext };
		const runId = await start(nested);
		return toOutcome(agent.agentId, await follow(runs, runId, call));
	},
});

/** Reads a run to its end. An abort stops it, and its end is awaited all the same; nobody would read on after a failure. */
async function follow(
	runs: Pick<Runs, "watch" | "cancel">,
	runId: string,
	{ signal, onText, onReset }: AgentCallOptions,
): Promise<RunResult> {
	// What goes wrong with a run, the store tells its log.
	const cancel = (): void => void runs.cancel(runId).catch(() => undefined);
	signal.addEventListener("abort", cancel);
	if (signal.aborted) cancel();
	try {
		for await (const events of runs.watch(runId, 0, new AbortController().signal))
			for (const event of events.map(parseEvent)) {
				if (event.type === "text.delta" && event.final) onText(event.text);
				else if (event.type === "text.reset") onReset();
				else if ("result" in event) return event.result;
			}
		throw new Error(`The run ${runId} has ended without a result.`);
	} catch (error) {
		cancel();
		throw error;
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

function toOutcome(
	agentId: string,
	{ run_id, status, output, citations, receipt, error }: RunResult,
): AgentOutcome {
	const rows = receipt.map((row) => ({ run_id, ...row }));
	if (status === "completed") return { output, citations, receipt: rows };
	const { code, message, hint } = error ?? {
		code: `remote_${status}`,
		message: `The agent ${quote(agentId)} did not answer: its run ${run_id} was ${status}.`,
	};
	throw new StemmaError(message, { code, hint }, { receipt: rows });
}

const unusedSecret = (node: string): StemmaError =>
	new StemmaError(`The node ${quote(node)} has a secret, but agents of the service accept none.`, {
		code: "secret_unused",
		hint: "Remove `auth` from the node, or name the agent by its `url`.",
	});
