import type { ServiceRequest, StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import { openRun } from "../streams/open-run";
import type { AgentRunStream } from "../streams/run-stream";
import type { AgentCreate, AgentReplace, StoredAgent, StoredAgentSummary } from "../types/agent";
import type { Deleted, PageOptions } from "../types/page";
import type { AgentRunInput, RunRegeneration, RunRequest, StartedRun } from "../types/run";
import { type AgentVersions, agentVersions } from "./agent-versions";
import { createCollection } from "./collection";
import type { PaginatedList } from "./paginated-list";
import { createRunMethod, type RunMethod } from "./run-agent";
import { runPath } from "./runs";
import { type ThreadCallOptions, withThreadToken } from "./thread-token";

/** Agents that the service keeps. `agent` is an id or a slug throughout. */
export interface Agents {
	list(page?: PageOptions, options?: CallOptions): PaginatedList<StoredAgentSummary>;
	get(agent: string, options?: CallOptions): Promise<WithRequestId<StoredAgent>>;
	/** @throws InvalidRequestError `agent_invalid` with `details.issues`. */
	create(request: AgentCreate, options?: CallOptions): Promise<WithRequestId<StoredAgent>>;
	replace(agent: string, request: AgentReplace, options?: CallOptions): Promise<WithRequestId<StoredAgent>>;
	delete(agent: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
	readonly versions: AgentVersions;
	/**
	 * Runs an agent to its end, over as many connections as it takes. Completed, paused and cancelled resolve, with
	 * `status`. An aborted signal stops the run.
	 *
	 * @param request - with `output`, a Standard Schema, the output of a completed run is checked and typed.
	 * @throws RunFailedError for a failed run, with the result.
	 */
	readonly run: RunMethod<AgentRunInput, ThreadCallOptions>;
	/** Starts a run at once; its events are read from the stream as they happen. */
	stream(
		agent: string,
		request: RunRequest | (RunRegeneration & Pick<RunRequest, "background">),
		options?: ThreadCallOptions,
	): AgentRunStream;
	/** Starts a run that goes on when nobody watches it; `runs.stream` follows it. */
	start(
		agent: string,
		request: AgentRunInput,
		options?: ThreadCallOptions,
	): Promise<WithRequestId<StartedRun>>;
}

export function agents(client: StemmaClient): Agents {
	const stream: Agents["stream"] = (agent, request, options) =>
		openRun(client, {
			start: toRunRequest(agent, request),
			supportsBackground: true,
			runPath,
			options: withThreadToken(options),
		});

	return {
		...createCollection<StoredAgent, StoredAgent, StoredAgentSummary>(client, "/v1/agents"),
		replace: (agent, json, options) =>
			client.request({ method: "PUT", path: path`/v1/agents/${agent}`, json, options }),
		versions: agentVersions(client),
		run: createRunMethod(stream),
		stream,
		start: (agent, request, options) =>
			client.request({
				...toRunRequest(agent, { ...request, background: true }),
				options: withThreadToken(options),
			}),
	};
}

const toRunRequest = (
	agent: string,
	json: AgentRunInput & Pick<RunRequest, "background">,
): ServiceRequest => ({
	method: "POST",
	path: path`/v1/agents/${agent}/run`,
	json,
});
