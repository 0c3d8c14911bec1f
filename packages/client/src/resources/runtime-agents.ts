import { fixedCredential } from "../auth/credential";
import { readCredential } from "../auth/resolve-credential";
import { path } from "../http/path";
import { createTransport } from "../http/transport";
import type { CallOptions, WithRequestId } from "../options/call-options";
import { assertSecretNotExposed, type ConnectionOptions, resolveConnection } from "../options/client-options";
import { openRun } from "../streams/open-run";
import type { AgentRunStream } from "../streams/run-stream";
import type { ApprovalDecisionRequest, RunInput, RunRecord } from "../types/run";
import type { RuntimeAgentList, RuntimeHealth, RuntimeReadiness } from "../types/runtime";
import { createRunMethod, type RunMethod } from "./run-agent";
import { createRunMethods } from "./runs";

/** Options of `runtimeAgents`, the agents of a self-hosted runtime. */
export interface RuntimeOptions extends ConnectionOptions {
	/** `http://localhost:8080` */
	readonly baseUrl: string;
	/** Token of the runtime: the value of its `STEMMA_RUNTIME_TOKEN`. */
	readonly token?: string | undefined;
	/** Lets the token be used in browsers and React Native, where whoever runs the page can read it. Default false. */
	readonly dangerouslyAllowBrowser?: boolean;
}

/** The agents of a self-hosted runtime: run as those of the service are, with the same events and results. */
export interface RuntimeAgents {
	health(options?: CallOptions): Promise<WithRequestId<RuntimeHealth>>;
	/**
	 * Checks whether runs can be started.
	 *
	 * @throws ServerError with status 503: `upstream_refused` for wrong credentials of the runtime,
	 * `upstream_unavailable`, `starting`, `shutting_down`.
	 */
	ready(options?: CallOptions): Promise<WithRequestId<RuntimeReadiness>>;
	list(options?: CallOptions): Promise<WithRequestId<RuntimeAgentList>>;
	/**
	 * Runs an agent to its end. Completed, paused and cancelled resolve, with `status`.
	 *
	 * @throws RunFailedError for a failed run, with the result.
	 */
	readonly run: RunMethod;
	/** Starts a run at once; its events are read from the stream as they happen. */
	stream(agentId: string, request: RunInput, options?: CallOptions): AgentRunStream;
	/** Runs that the runtime remembers: those under way, and for 10 minutes those that have ended. */
	readonly runs: RuntimeRuns;
}

export interface RuntimeRuns {
	/**
	 * Joins a run that is under way, or reads one that has ended. An aborted signal stops the run; `close` does not.
	 * Rejects with ApiError 410 `events_expired` where its events are gone, with `details.result` if there is one.
	 */
	stream(runId: string, options?: RuntimeFollowOptions): AgentRunStream;
	/** Cancels a run; has no effect on one that has ended. */
	cancel(runId: string, options?: CallOptions): Promise<WithRequestId<RunRecord>>;
	/** Decides on one of `result.approvals` of a run that has paused: it goes on at once, and others stay open. */
	decide(
		runId: string,
		approvalId: string,
		decision: ApprovalDecisionRequest,
		options?: CallOptions,
	): Promise<WithRequestId<RunRecord>>;
}

export interface RuntimeFollowOptions extends CallOptions {
	/** The `seq` of the last event that is known; 0, the default, for all. */
	readonly after?: number | undefined;
}

const runPath = (runId: string): string => path`/runs/${runId}`;

/** @throws ConfigurationError for options that cannot be: it names the fields. */
export function runtimeAgents({ token, dangerouslyAllowBrowser, ...options }: RuntimeOptions): RuntimeAgents {
	if (token !== undefined) assertSecretNotExposed("token", dangerouslyAllowBrowser);
	const secret = token === undefined ? undefined : readCredential("token", token);
	const client = createTransport(resolveConnection(options), fixedCredential(secret));

	const stream = (agentId: string, json: RunInput, callOptions?: CallOptions): AgentRunStream =>
		openRun(client, {
			start: { method: "POST", path: path`/run/${agentId}`, json },
			runPath,
			options: callOptions,
		});

	return {
		health: (callOptions) => client.request({ method: "GET", path: "/healthz", options: callOptions }),
		ready: (callOptions) =>
			client.request({ method: "GET", path: "/readyz", retry: "never", options: callOptions }),
		list: (callOptions) => client.request({ method: "GET", path: "/agents", options: callOptions }),
		run: createRunMethod(stream),
		stream,
		runs: createRunMethods(client, { runPath }),
	};
}
