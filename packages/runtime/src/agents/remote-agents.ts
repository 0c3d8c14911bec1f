import { ApiError, type WireRunEvent } from "@stemma/client";
import type { ApprovalDecision } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { RunInput, RunListener, RunnableAgent, RunPart, RunSetting } from "./runnable-agent";
import { isOutage } from "./upstream-failure";

/** Runs agents of the service, for manifests. */
export interface RemoteAgents {
	/**
	 * Starts a run and gives its events, with the service's own run id and numbers, to its end or to a pause. It fails
	 * before the first event when nothing was started. An aborted signal cancels the run there.
	 */
	run(agentId: string, input: RunInput, setting: RunSetting): AsyncIterable<WireRunEvent>;
	/** Decides on an approval of a run there. */
	decide(runId: string, decision: ApprovalDecision): Promise<void>;
	/** The events of a run there after a number, to its end or its next pause. */
	follow(runId: string, after: number, setting: RunSetting): AsyncIterable<WireRunEvent>;
}

/** The agent that a manifest stands for. */
export const createRemoteAgent = (remoteAgentId: string, remote: RemoteAgents): RunnableAgent => ({
	isElsewhere: true,
	start: (input, { depth, traceContext, onEvent }) =>
		toPart((signal) => remote.run(remoteAgentId, input, { signal, depth, traceContext }), {
			remote,
			depth,
			traceContext,
			onEvent,
		}),
});

interface PartOptions extends RunListener, Omit<RunSetting, "signal"> {
	readonly remote: RemoteAgents;
	readonly isCancelled?: boolean;
}

function toPart(
	open: (signal: AbortSignal) => AsyncIterable<WireRunEvent>,
	{ remote, depth, traceContext, onEvent, isCancelled = false }: PartOptions,
): RunPart {
	const controller = new AbortController();
	const place = { runId: "", seq: 0 };
	if (isCancelled) controller.abort();

	async function follow(): Promise<void> {
		try {
			for await (const event of open(controller.signal)) {
				place.runId = event.run_id;
				place.seq = event.seq;
				onEvent(event);
				if ("result" in event) return;
			}
		} catch (error) {
			// Before the first event nothing was started, and the answer tells why.
			throw place.seq > 0 && isServiceGone(error) ? serviceGone(error) : error;
		}
	}

	return {
		ended: follow(),
		cancel: () => controller.abort(),
		decide: (decision) => remote.decide(place.runId, decision),
		async resume(decisions, options) {
			const { runId, seq } = place;
			for (const decision of decisions) await remote.decide(runId, decision);
			const setting = { depth, traceContext };
			return toPart((signal) => remote.follow(runId, seq, { ...setting, signal }), {
				remote,
				...setting,
				...options,
			});
		},
		savedLength: 0,
	};
}

/** The service went away, or is not itself. */
const isServiceGone = (error: unknown): boolean =>
	isOutage(error) || (ApiError.is(error) && error.status >= 500);

const serviceGone = (cause: unknown): StemmaError =>
	new StemmaError("The service that runs the agent could not be reached any more.", {
		code: "upstream_unavailable",
		hint: "Whether the run goes on there is not known. Run it again when the service is back.",
		cause,
	});
