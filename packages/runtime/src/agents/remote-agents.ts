import { ApiError, type WireRunEvent } from "@stemma/client";
import type { ApprovalDecision } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { RunEventHandler, RunInput, RunnableAgent, RunOptions, RunSegment } from "./runnable-agent";
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
	start: (input, { depth, traceContext, onEvent }) =>
		toRunSegment((signal) => remote.run(remoteAgentId, input, { signal, depth, traceContext }), {
			remote,
			depth,
			traceContext,
			onEvent,
		}),
});

interface RunSegmentOptions extends RunEventHandler, Omit<RunOptions, "signal"> {
	readonly remote: RemoteAgents;
	readonly isCancelled?: boolean;
}

function toRunSegment(
	open: (signal: AbortSignal) => AsyncIterable<WireRunEvent>,
	{ remote, depth, traceContext, onEvent, isCancelled = false }: RunSegmentOptions,
): RunSegment {
	const controller = new AbortController();
	const cursor = { runId: "", seq: 0 };
	if (isCancelled) controller.abort();

	async function follow(): Promise<void> {
		try {
			for await (const event of open(controller.signal)) {
				cursor.runId = event.run_id;
				cursor.seq = event.seq;
				onEvent(event);
				if ("result" in event) return;
			}
		} catch (error) {
			// Before the first event nothing was started, and the answer tells why.
			throw cursor.seq > 0 && isServiceDown(error) ? serviceUnavailable(error) : error;
		}
	}

	return {
		ended: follow(),
		cancel: () => controller.abort(),
		decide: (decision) => remote.decide(cursor.runId, decision),
		async resume(decisions, options) {
			const { runId, seq } = cursor;
			for (const decision of decisions) await remote.decide(runId, decision);
			const runOptions = { depth, traceContext };
			return toRunSegment((signal) => remote.follow(runId, seq, { ...runOptions, signal }), {
				remote,
				...runOptions,
				...options,
			});
		},
		savedStateLength: 0,
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
