import type { RuntimeAgent } from "@stemma/client";
import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { createRunTraces, openTracer } from "@stemma/telemetry";
import { version } from "../package.json";
import { createTaskRegistry } from "./a2a/task-registry";
import { toRuntimeAgent } from "./agents/catalog";
import { describeAgents } from "./agents/describe-agents";
import { type AgentEnvironment, createPrepareAgent, toClient } from "./agents/prepare-agent";
import { openRuntimeAgents } from "./agents/runtime-agents";
import { toUnavailableError } from "./agents/service-outage";
import { describeUnexpectedError } from "./describe-unexpected-error";
import type { AgentSource } from "./folder/agent-source";
import { createMemorySource } from "./folder/memory-source";
import { createHandler } from "./http/create-handler";
import type { HttpHandler } from "./http/http-exchange";
import { type AccessOptions, resolveAccess } from "./http/request/access";
import type { A2aRoute, A2aRouteOptions } from "./http/routes/a2a-route";
import { createAgUiRoute } from "./http/routes/ag-ui-route";
import { createApprovalRoute } from "./http/routes/approval-route";
import { createChatRoutes } from "./http/routes/chat-routes";
import { createRunRoutes, type RunRoutesOptions } from "./http/routes/run-routes";
import { createStartRun, MAX_RUNS } from "./http/routes/start-run";
import { toWebHandler } from "./http/web/web-handler";
import { createRuntimeMetrics } from "./metrics/runtime-metrics";
import { readEnvironment } from "./platform/environment";
import { RunRegistry } from "./runs/run-registry";
import { createOutputValidator } from "./schema-check/output-validator";
import type { SchemaThread } from "./schema-check/schema-thread";
import type { TraceOptions } from "./telemetry/trace-options";

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
	const { maxRuns = MAX_RUNS, log = writeLine } = settings;
	const access = resolveAccess(settings, { STEMMA_RUNTIME_TOKEN: readEnvironment("STEMMA_RUNTIME_TOKEN") });
	const secret = access.kind === "token" ? access.token : undefined;
	const onUnexpectedError = (error: unknown, where: string): void =>
		log(describeUnexpectedError(error, where, secret));
	const metrics = createRuntimeMetrics();
	const start = openTracer(settings.tracerProvider, { name: "@stemma/runtime", version });
	const traces = createRunTraces({ start, content: settings.traceContent ?? false });
	const validate = schemaThread && createOutputValidator(schemaThread);
	const agents = await openRuntimeAgents(source, {
		prepare: createPrepareAgent(settings, { instrument: traces.instrument, validate }),
		client: toClient(settings.client),
		checksManifests: settings.remote === undefined,
		strict: settings.strict ?? false,
		log,
		onReload: metrics.countReload,
	});
	const { catalog, entries } = agents;
	let closing = false;
	const isClosing = (): boolean => closing;
	const registry = new RunRegistry({
		toRunError: (error) => toRunError(error, onUnexpectedError),
		observe: ({ subject: { agentId } }) => metrics.observeRun(agentId),
		trace: ({ agent, subject: { agentId }, traceContext }) =>
			traces.start({ agentId, parent: traceContext, isRemote: agent.isRemote }),
	});
	const startRun = createStartRun({ registry, isClosing, maxRuns });
	const tasks = createTaskRegistry(registry);
	const handle = createHandler({
		agents: entries,
		service: agents.service,
		access,
		isClosing,
		...createRoutesOfRuns({ catalog, registry, startRun }),
		approvals: createApprovalRoute(registry),
		a2a: createLazyA2aRoute({ catalog, access, tasks, registry, startRun, onUnexpectedError }),
		metrics: () => metrics.write(registry.counts(), entries()),
		onResponse: metrics.countRequest,
		onUnexpectedError,
	});
	return {
		handle,
		fetch: toWebHandler(handle),
		agents: () => entries().map(toRuntimeAgent),
		describe: () => describeAgents(entries()),
		watchService: agents.service.start,
		async close(graceMs = GRACE_MS) {
			closing = true;
			agents.stop();
			await registry.close(graceMs);
			schemaThread?.stop();
		},
	};
}

/** The routes that start runs, each in its protocol. */
const createRoutesOfRuns = (options: RunRoutesOptions) => ({
	runRoutes: createRunRoutes(options),
	chatRoutes: createChatRoutes(options),
	agUi: createAgUiRoute(options),
});

/** A2A, which is loaded when it is first asked for. */
function createLazyA2aRoute(options: A2aRouteOptions): A2aRoute {
	let route: A2aRoute | undefined;
	return async (request, agentId) => {
		route ??= (await import("./http/routes/a2a-route")).createA2aRoute(options);
		return route(request, agentId);
	};
}

/** Standard error, in every platform's way. */
const writeLine = (line: string): void => console.error(line);

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
