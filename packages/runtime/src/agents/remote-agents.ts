import { ApiError, type WireRunEvent } from "@stemma/client";
import type { ApprovalDecision } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { RunSegment } from "@stemma/runs";
import type { RunInput, RunnableAgent, RunOptions } from "./runnable-agent";
import { isServiceOutage } from "./service-outage";

/** Runs agents of the service, for manifests. */
export interface RemoteAgents {
	/**
	 * Starts a run and gives its events, with the service's own run id and numbers, to its end or to a pause. It fails
	 * before the first event when nothing was started. An aborted signal cancels the run there.
	 */
	run(agentId: string, input: RunInput, runOptions: RunOptions): AsyncIterable<WireRunEvent>;
	/** Decides on an approval of a run there. */
	decide(runId: string, decision: ApprovalDecision): Promise<void>;
	/** The events of a run there after a number, to its end or its next pause. */
	follow(runId: string, after: number, runOptions: RunOptions): AsyncIterable<WireRunEvent>;
}

/** The agent that a manifest stands for. */
export const createRemoteAgent = (remoteAgentId: string, remote: RemoteAgents): RunnableAgent => ({
	isRemote: true,
	start: (input, options) =>
		toRunSegment((signal) => remote.run(remoteAgentId, input, { ...options, signal })),
	// The service has the decisions.
	resume: ({ runId, lastSeq, isCancelled }, options) =>
		toRunSegment((signal) => remote.follow(runId, lastSeq, { ...options, signal }), isCancelled),
	decide: (runId, decision) => remote.decide(runId, decision),
});

function toRunSegment(
	open: (signal: AbortSignal) => AsyncIterable<WireRunEvent>,
	isCancelled = false,
): RunSegment {
	const controller = new AbortController();
	if (isCancelled) controller.abort();
	return {
		async follow(onEvent) {
			let hasStarted = false;
			try {
				for await (const event of open(controller.signal)) {
					hasStarted = true;
					onEvent(event);
					if ("result" in event) return;
				}
			} catch (error) {
				// Before the first event nothing was started, and the answer tells why.
				throw hasStarted && isServiceDown(error) ? serviceUnavailable(error) : error;
			}
		},
		cancel: () => controller.abort(),
		decide: () => undefined,
		save: () => "",
	};
}

/** The service went away, or is not itself. */
const isServiceDown = (error: unknown): boolean =>
	isServiceOutage(error) || (ApiError.is(error) && error.status >= 500);

const serviceUnavailable = (cause: unknown): StemmaError =>
	new StemmaError("The service that runs the agent could not be reached any more.", {
		code: "upstream_unavailable",
		hint: "It is not known whether the run continues there. Run it again when the service is back.",
		cause,
	});
