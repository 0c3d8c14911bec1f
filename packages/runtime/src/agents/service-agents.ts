import { type AgentRunStream, agents, runs, type StemmaClient, type WireRunEvent } from "@stemma/client";
import type { RemoteAgents } from "./remote-agents";
import type { RunOptions } from "./runnable-agent";

/** The agents of a service, behind a client. */
export function serviceAgents(client: StemmaClient): RemoteAgents {
	const { stream } = agents(client);
	const stored = runs(client);
	return {
		run: (agentId, input, options) =>
			cancelOnAbort(stream(agentId, input, { headers: toHeaders(options) }), options.signal),
		async decide(runId, { approval_id, ...decision }) {
			await client.request({
				method: "POST",
				path: `/v1/runs/${encodeURIComponent(runId)}/approvals/${encodeURIComponent(approval_id)}`,
				json: decision,
			});
		},
		follow: (runId, after, options) =>
			cancelOnAbort(stored.stream(runId, { after, headers: toHeaders(options) }), options.signal),
	};
}

const toHeaders = ({ depth, traceContext }: RunOptions) => ({
	"stemma-depth": String(depth),
	...traceContext,
});

/** An abort cancels the run and reads on, so that its last event is the service's own. */
async function* cancelOnAbort(run: AgentRunStream, signal: AbortSignal): AsyncGenerator<WireRunEvent> {
	if (signal.aborted) run.cancel();
	signal.addEventListener("abort", run.cancel);
	try {
		yield* run;
	} finally {
		signal.removeEventListener("abort", run.cancel);
	}
}
