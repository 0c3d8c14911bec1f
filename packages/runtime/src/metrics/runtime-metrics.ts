import {
	Counter,
	Histogram,
	RunMeter,
	type RunMetrics,
	writeGauge,
	writeProcessMetrics,
} from "@stemma/telemetry";
import { version } from "../../package.json";
import { type AgentEntry, isCurrent, isReady, isStale } from "../agents/catalog";
import type { ReloadOutcome } from "../agents/live-catalog";
import type { RouteName } from "../http/routes/match-route";
import type { RunObserver } from "../runs/run";
import type { RunCounts } from "../runs/run-registry";

/** Runs take from a moment to many minutes. */
const DURATION_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Counters of a runtime, for `GET /metrics`. */
export function createRuntimeMetrics() {
	const runs = {
		started: new Counter("stemma_runs_started_total", "Runs that were started, by agent."),
		ended: new Counter("stemma_runs_ended_total", "Runs that have ended, by agent and status."),
		duration: new Histogram(
			"stemma_run_duration_seconds",
			"Running time of runs that have ended, by agent, in seconds; without the time that they waited for approvals.",
			DURATION_BOUNDS,
		),
		modelCalls: new Counter("stemma_model_calls_total", "Model calls on the receipts of runs, by payer."),
		modelTokens: new Counter(
			"stemma_model_tokens_total",
			"Tokens on the receipts of runs, by payer and direction.",
		),
		toolCalls: new Counter("stemma_tool_calls_total", "Tool calls in runs, by outcome."),
	} satisfies RunMetrics;
	const refused = new Counter("stemma_runs_refused_total", "Runs that were not started, by reason.");
	const requests = new Counter("stemma_http_requests_total", "HTTP requests, by route and status.");
	const reloads = new Counter(
		"stemma_agent_reloads_total",
		"Times that agent files had changed, by outcome.",
	);

	return {
		/** Counts one run of an agent by its events. */
		observeRun: (agent: string): RunObserver => new RunMeter(runs, { agent }),
		/** @param code - of the error, where there is one: a run that was asked for was not started then. */
		countRequest(
			{ method, route }: { readonly method: string; readonly route: RouteName },
			status: number,
			code: string | undefined,
		): void {
			requests.add({ route, status: String(status) });
			if (code !== undefined && method === "POST" && route === "/run/:agentId") refused.add({ reason: code });
		},
		countReload: (outcome: ReloadOutcome): void => reloads.add({ outcome }),
		/** Writes all metrics in the text format of Prometheus, with the runs and the agents that there are now. */
		write: ({ running, paused }: RunCounts, agents: readonly AgentEntry[]): string =>
			[
				writeGauge("stemma_runtime_info", "The version of the runtime.", [[{ version }, 1]]),
				...Object.values(runs).map((metric) => metric.write()),
				refused.write(),
				requests.write(),
				reloads.write(),
				writeGauge("stemma_runs_running", "Active runs.", [[{}, running]]),
				writeGauge("stemma_runs_paused", "Runs that wait for approvals.", [[{}, paused]]),
				writeGauge("stemma_agents", "Agents, by state: stale ones run an older version of a bad file.", [
					[{ state: "ready" }, agents.filter(isCurrent).length],
					[{ state: "stale" }, agents.filter(isStale).length],
					[{ state: "invalid" }, agents.filter((agent) => !isReady(agent)).length],
				]),
				writeProcessMetrics(),
			].join(""),
	};
}
