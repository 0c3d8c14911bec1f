import { ApiError, ConnectionError, StreamError, TimeoutError, type WireRunEvent } from "@stemma/client";
import type { ApprovalDecision } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { RunInput, RunnableAgent, RunPart, RunSetting } from "./runnable-agent";

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
	start: (input, setting) => toPart(remote, remote.run(remoteAgentId, input, setting), setting.depth),
});

function toPart(remote: RemoteAgents, source: AsyncIterable<WireRunEvent>, depth: number): RunPart {
	const place = { runId: "", seq: 0 };
	async function* follow(): AsyncGenerator<WireRunEvent> {
		try {
			for await (const event of source) {
				place.runId = event.run_id;
				place.seq = event.seq;
				yield event;
			}
		} catch (error) {
			// Before the first event nothing was started, and the answer tells why.
			throw place.seq > 0 && isOutage(error) ? serviceGone(error) : error;
		}
	}
	return {
		events: follow(),
		decide: (decision) => remote.decide(place.runId, decision),
		async resume(decisions, signal) {
			const { runId, seq } = place;
			for (const decision of decisions) await remote.decide(runId, decision);
			return toPart(remote, remote.follow(runId, seq, { signal, depth }), depth);
		},
		savedLength: 0,
	};
}

/** The service went away, or is not itself. */
const isOutage = (error: unknown): boolean =>
	ConnectionError.is(error) ||
	TimeoutError.is(error) ||
	StreamError.is(error) ||
	(ApiError.is(error) && error.status >= 500);

const serviceGone = (cause: unknown): StemmaError =>
	new StemmaError("The service that runs the agent could not be reached any more.", {
		code: "upstream_unavailable",
		hint: "Whether the run goes on there is not known. Run it again when the service is back.",
		cause,
	});
