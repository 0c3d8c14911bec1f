import type { WireRunEvent } from "@stemma/client";
import type { RunInput, RunnableAgent, RunSetting } from "./runnable-agent";

/** Runs agents of the service, for manifests. */
export interface RemoteAgents {
	/**
	 * Starts a run and gives its events, with the service's own run id and numbers. It fails before the first event when
	 * nothing was started. An aborted signal cancels the run there.
	 */
	run(agentId: string, input: RunInput, setting: RunSetting): AsyncIterable<WireRunEvent>;
}

/** The agent that a manifest stands for. */
export const createRemoteAgent = (remoteAgentId: string, remote: RemoteAgents): RunnableAgent => ({
	start: (input, setting) => remote.run(remoteAgentId, input, setting),
});
