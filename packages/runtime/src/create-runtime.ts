import type { RuntimeAgent } from "@stemma/client";
import type { RunError } from "@stemma/core";
import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import { createRunTraces, openTracer } from "@stemma/telemetry";
import { version } from "../package.json";
import { createTaskRegistry } from "./a2a/task-registry";
import {
	type AgentCatalog,
	type AgentEntry,
	isCurrent,
	isReady,
	isStale,
	toRuntimeAgent,
} from "./agents/catalog";
import { listRemoteAgentIds, withServiceIssues } from "./agents/checked-entries";
import { describeAgents, describeProblems } from "./agents/describe-agents";
import { openLiveCatalog } from "./agents/live-catalog";
import { type AgentEnvironment, createPrepareAgent, toClient } from "./agents/prepare-agent";
import { toUnavailableError } from "./agents/service-outage";
import { describeUnexpectedError } from "./describe-unexpected-error";
import type { AgentSource } from "./folder/agent-source";
import { createMemorySource } from "./folder/memory-source";
import { createHandler } from "./http/create-handler";
import type { HttpHandler } from "./http/http-exchange";
import { type AccessOptions, resolveAccess } from "./http/request/access";
import type { A2aRoute } from "./http/routes/a2a-route";
import { createApprovalRoute } from "./http/routes/approval-route";
import { createRunRoutes } from "./http/routes/run-routes";
import { createStartRun, MAX_RUNS } from "./http/routes/start-run";
import { toWebHandler } from "./http/web/web-handler";
import { createRuntimeMetrics, type RuntimeGauges } from "./metrics/runtime-metrics";
import { readEnvironment } from "./platform/environment";
import { createIdempotentRuns } from "./runs/idempotency";
import { RunRegistry } from "./runs/run-registry";
import { createOutputValidator } from "./schema-check/output-validator";
import type { SchemaThread } from "./schema-check/schema-thread";
import type { TraceOptions } from "./telemetry/trace-options";
import { createServiceMonitor, NO_SERVICE } from "./upstream/service-monitor";

/** All but where the agents come from. */
export interface RuntimeSettings extends AgentEnvironment, AccessOptions, TraceOptions {
	/** One bad agent at start is an error. Default: it is listed as invalid, and the others run. */
	readonly strict?: boolean | undefined;
	/** Maximum number of runs in progress at once; runs that wait for approvals do not count. Default 1,000. */
	readonly maxRuns?: number | undefined;
	/** Gets what an operator should know, a line each. Default: standard error. */
	readonly log?: ((line: string) => void) | undefined;
}

export interface RuntimeOptions extends RuntimeSettings {
	/** Graphs and manifests by their ids: what would be in their files, or what `defineAgent` gives. */
	readonly agents: Readonly<Record<string, unknown>>;
}

/** A runtime without a port of its own. */
export interface Runtime {
	/** Answers one request of the HTTP API. It needs no `this`. */
	fetch(request: Request): Promise<Response>;
	/** The agents as they are now. */
	agents(): readonly RuntimeAgent[];
	/** The agents in one line, for a person. */
	describe(): string;
	/**
	 * Takes no new runs, lets those under way end, and cancels them when the time is over; each gets its last event.
	 *
	 * @param graceMs - default 10,000.
	 */
	close(graceMs?: number): Promise<void>;
}

/** A runtime for a server that brings requests in its own way. */
export interface HostedRuntime extends Runtime {
	readonly handle: HttpHandler;
	/** Checks the service now and again, until the runtime is closed. */
	watchService(): void;
}

export const GRACE_MS = 10_000;

/**
 * Serves agents as a web-standard handler, in Node, Bun, Deno and Workers. Without a token, only requests to and from a
 * loopback address are answered.
 *
 * @throws ConfigurationError for a bad token, for tools that cannot be called, and with `strict` for a bad agent.
 */
export const createRuntime = ({ agents, ...settings }: RuntimeOptions): Promise<Runtime> =>
	createRuntimeFrom(createMemorySource(agents), settings);

/**
 * A runtime over agents that come from anywhere.
 *
 * @param schemaThread - checks outputs that take long; the runtime stops it. Default: each check is bounded in steps.
 * @throws ConfigurationError as {@link createRuntime} does, and when the source cannot be read.
 */
export async function createRuntimeFrom(
	source: AgentSource,
	settings: RuntimeSettings,
	schemaThread?: SchemaThread,
): Promise<HostedRuntime> {
	const { strict = false, maxRuns = MAX_RUNS, log = writeLine } = settings;
	const access = resolveAccess(settings, { STEMMA_RUNTIME_TOKEN: readEnvironment("STEMMA_RUNTIME_TOKEN") });
	const secret = access.kind === "token" ? access.token : undefined;
	const onUnexpectedError = (error: unknown, where: string): void =>
		log(describeUnexpectedError(error, where, secret));
	const metrics = createRuntimeMetrics();
	const { tracerProvider, traceContent = false } = settings;
	const start = openTracer(tracerProvider, { name: "@stemma/runtime", version });
	const traces = createRunTraces({ start, content: traceContent });
	const validate = schemaThread && createOutputValidator(schemaThread);
	const prepare = createPrepareAgent(settings, { instrument: traces.instrument, validate });
	const client = toClient(settings.client);
	let monitor = NO_SERVICE;
	const catalog = await openLiveCatalog(source, prepare, log, (outcome) => {
		metrics.countReload(outcome);
		monitor.checkSoon();
	});
	/** The agents as the service sees them too. Runs go by the files alone: there the service answers for itself. */
	const entries = (): readonly AgentEntry[] =>
		withServiceIssues(catalog.current().entries, monitor.findIssue);
	if (client !== undefined)
		monitor = createServiceMonitor({
			client,
			remoteAgentIds: () =>
				settings.remote === undefined ? listRemoteAgentIds(catalog.current().entries) : [],
			log,
			onIssues: () => log(`Manifests were checked at the service. ${describeAgents(entries())}`),
		});
	if (strict) assertAllValid(catalog.current(), catalog.stop);

	let isClosing = false;
	const registry = new RunRegistry({
		toRunError: (error) => toRunError(error, onUnexpectedError),
		observe: ({ subject: { agentId } }) => metrics.observeRun(agentId),
		trace: ({ agent, subject: { agentId }, traceContext }) =>
			traces.start({ agentId, parent: traceContext, isRemote: agent.isRemote }),
	});
	const idempotentRuns = createIdempotentRuns();
	registry.onEvict(idempotentRuns.forget);
	const startRun = createStartRun({ registry, isClosing: () => isClosing, maxRuns });
	const { current } = catalog;
	const runRoutes = createRunRoutes({ catalog: current, registry, idempotentRuns, startRun });
	const approvals = createApprovalRoute(registry);
	const tasks = createTaskRegistry(registry);
	let a2a: A2aRoute | undefined;
	/** Loaded when it is first asked for. */
	async function loadA2a(): Promise<A2aRoute> {
		const { createA2aRoute } = await import("./http/routes/a2a-route");
		return createA2aRoute({
			catalog: current,
			access,
			tasks,
			registry,
			startRun,
			onUnexpectedError,
		});
	}
	const handle = createHandler({
		agents: entries,
		service: monitor,
		access,
		isClosing: () => isClosing,
		runRoutes,
		approvals,
		async a2a(request, agentId) {
			a2a ??= await loadA2a();
			return a2a(request, agentId);
		},
		metrics: () => metrics.write({ ...registry.counts(), ...countAgents(entries()) }),
		onResponse({ method, route }, status, code) {
			metrics.countRequest(route, status);
			if (code !== undefined && method === "POST" && route === "/run/:agentId")
				metrics.countRejectedRun(code);
		},
		onUnexpectedError,
	});
	return {
		handle,
		fetch: toWebHandler(handle),
		agents: () => entries().map(toRuntimeAgent),
		describe: () => describeAgents(entries()),
		watchService: monitor.start,
		async close(graceMs = GRACE_MS) {
			isClosing = true;
			catalog.stop();
			monitor.stop();
			await registry.close(graceMs);
			schemaThread?.stop();
		},
	};
}

const countAgents = (entries: readonly AgentEntry[]): Pick<RuntimeGauges, "ready" | "stale" | "invalid"> => ({
	ready: entries.filter(isCurrent).length,
	stale: entries.filter(isStale).length,
	invalid: entries.filter((entry) => !isReady(entry)).length,
});

/** Standard error, in every platform's way. */
const writeLine = (line: string): void => console.error(line);

function assertAllValid({ entries }: AgentCatalog, stop: () => void): void {
	const bad = entries.filter(({ issues }) => issues.length > 0);
	if (bad.length === 0) return;
	stop();
	throw new ConfigurationError(
		`${bad.length} of ${entries.length} agent files are not valid. ${describeProblems(bad).join(" ")}`,
		{
			code: "agent_invalid",
			hint: "Correct them, or leave out --strict (option `strict`) to run the others.",
		},
	);
}

/** Converts the error that broke off a run to the one in its last event. */
function toRunError(error: unknown, onUnexpectedError: (error: unknown, where: string) => void): RunError {
	const known = toUnavailableError(error);
	if (isStemmaError(known)) {
		const { code, message, hint } = known;
		return { code, message, ...(hint === undefined ? {} : { hint }) };
	}
	onUnexpectedError(error, "a run");
	return { code: "internal_error", message: "The run failed in the runtime; its log has the details." };
}
