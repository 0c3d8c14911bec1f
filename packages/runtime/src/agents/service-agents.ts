import { type AgentRunStream, agents, runs, type StemmaClient, type WireRunEvent } from "@stemma/client";
import type { RemoteAgents } from "./remote-agents";

/** The agents of a service, behind a client. */
export function serviceAgents(client: StemmaClient): RemoteAgents {
	const { stream } = agents(client);
	const stored = runs(client);
	return {
		run: (agentId, input, { signal, depth }) =>
			untilCancelled(stream(agentId, input, { headers: toDepthHeader(depth) }), signal),
		async decide(runId, { approval_id, ...decision }) {
			await client.request({
				method: "POST",
				path: `/v1/runs/${encodeURIComponent(runId)}/approvals/${encodeURIComponent(approval_id)}`,
				json: decision,
			});
		},
		follow: (runId, after, { signal, depth }) =>
			untilCancelled(stored.stream(runId, { after, headers: toDepthHeader(depth) }), signal),
	};
}

const toDepthHeader = (depth: number) => ({ "stemma-depth": String(depth) });

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
