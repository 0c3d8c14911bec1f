import { type AgentRunStream, agents, runs, type StemmaClient, type WireRunEvent } from "@stemma/client";
import type { RemoteAgents } from "./remote-agents";
import type { RunSetting } from "./runnable-agent";

/** The agents of a service, behind a client. */
export function serviceAgents(client: StemmaClient): RemoteAgents {
	const { stream } = agents(client);
	const stored = runs(client);
	return {
		run: (agentId, input, setting) =>
			untilCancelled(stream(agentId, input, { headers: toHeaders(setting) }), setting.signal),
		async decide(runId, { approval_id, ...decision }) {
			await client.request({
				method: "POST",
				path: `/v1/runs/${encodeURIComponent(runId)}/approvals/${encodeURIComponent(approval_id)}`,
				json: decision,
			});
		},
		follow: (runId, after, setting) =>
			untilCancelled(stored.stream(runId, { after, headers: toHeaders(setting) }), setting.signal),
	};
}

const toHeaders = ({ depth, traceContext }: RunSetting) => ({
	"stemma-depth": String(depth),
	...traceContext,
});

/** An abort cancels the run and reads on, so that its last event is the service's own. */
async function* untilCancelled(run: AgentRunStream, signal: AbortSignal): AsyncGenerator<WireRunEvent> {
	if (signal.aborted) run.cancel();
	signal.addEventListener("abort", run.cancel);
	try {
		yield* run;
	} finally {
		signal.removeEventListener("abort", run.cancel);
	}
}
