import { DBOS } from "@dbos-inc/dbos-sdk";
import { type AgentGraph, defineAgent, type RunLimits, type RunResult } from "@stemma/core";
import type { EnginePorts, EngineRunOptions } from "@stemma/engine";
import { createRunCheck, createRunId } from "./check-run";
import { createDurableRun, type DurableRun, type RunContext } from "./durable-run";
import { dbosJournal, isShutdown } from "./journal/dbos-journal";
import type { RunDefinition } from "./run/run-definition";
import { InterruptedRun, runGraph } from "./run/run-graph";
import { type RunEventHandler, RunWatchers } from "./run-watchers";

/** Options of {@link createDurableAgent}. */
export interface DurableAgentOptions {
	/** Name of the workflow in DBOS. After a restart, the agent of this name continues its runs. */
	readonly name: string;
	/** Valid: from `defineAgent` or `validateAgent`. A run keeps the graph that it was started with. */
	readonly graph: AgentGraph;
	readonly ports: EnginePorts;
	/** The operator's limits; the lower of these and the graph's applies. `timeoutMs` leaves out the time in which no process ran. */
	readonly limits?: RunLimits;
	/** Calls of one run that are in flight at once, as in `createEngine`. Default 8. */
	readonly maxConcurrentCalls?: number;
}

/** Options of one run. */
export interface DurableRunOptions extends Omit<EngineRunOptions, "signal" | "onEvent"> {
	/**
	 * Id of the run and of its workflow: a second start with the same id starts nothing, and gives the first run. Default: a
	 * new one.
	 */
	readonly runId?: string;
	/** Receives the events of the run, as `DurableRun.watch` does; of a run that this process does not execute, none. */
	readonly onEvent?: RunEventHandler;
}

/** Agent whose runs outlive the process. */
export interface DurableAgent {
	/**
	 * Starts a run. Resolves once it is stored.
	 *
	 * @throws ConfigurationError for input or context that is not JSON; nothing was started then.
	 */
	start(options: DurableRunOptions): Promise<DurableRun>;
	/** Opens a run by its id, in any process that has launched DBOS over the same database. Asks nothing. */
	open(runId: string): DurableRun;
}

/**
 * Makes an agent of which each run is a workflow of DBOS: its calls of models, tools, knowledge bases and agents are steps,
 * stored in Postgres. Call it before `DBOS.launch`, which continues the runs that were not over.
 *
 * @throws ConfigurationError for limits that are not whole numbers of 1 or more.
 */
export function createDurableAgent(options: DurableAgentOptions): DurableAgent {
	const { name, ports, limits = {}, maxConcurrentCalls } = options;
	const graph = defineAgent(options.graph);
	const context: RunContext = { ports, watchers: new RunWatchers() };
	const checkRun = createRunCheck(graph, {
		limits,
		...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls }),
	});
	const workflow = DBOS.registerWorkflow((definition: RunDefinition) => executeRun(definition, context), {
		name,
	});
	return {
		async start({ runId = createRunId("run"), onEvent, ...input }) {
			const definition: RunDefinition = {
				...checkRun(input),
				graph,
				limits,
				maxConcurrentCalls: maxConcurrentCalls ?? null,
			};
			const stop = onEvent && context.watchers.add(runId, onEvent);
			try {
				const handle = await DBOS.startWorkflow(workflow, { workflowID: runId })(definition);
				return createDurableRun(runId, context, handle);
			} finally {
				// It could not be started, or is executed elsewhere, or over.
				if (!context.watchers.isExecuting(runId)) stop?.();
			}
		},
		open: (runId) => createDurableRun(runId, context),
	};
}

async function executeRun(definition: RunDefinition, { ports, watchers }: RunContext): Promise<RunResult> {
	const runId = DBOS.workflowID ?? "";
	const onEvent: RunEventHandler = (event) => watchers.emit(runId, event);
	watchers.begin(runId);
	try {
		return await runGraph({ runId, definition, ports, journal: dbosJournal, onEvent });
	} catch (error) {
		const cause = error instanceof InterruptedRun ? error.cause : error;
		// DBOS may still store that the run has failed. It is not over: the next process goes on with it.
		if (isShutdown(cause)) return new Promise(() => undefined);
		// DBOS knows its own errors, and what to do about them.
		throw cause;
	} finally {
		watchers.end(runId);
	}
}
