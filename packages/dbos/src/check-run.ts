import type { AgentGraph, RunLimits } from "@stemma/core";
import { clock, createIdGenerator, randomBytes } from "@stemma/core/internal";
import { createEngine, type EngineHost, type EnginePorts, type EngineRunOptions } from "@stemma/engine";
import type { RunDefinition } from "./run/run-definition";

/** Creates the id of a run: `run_…`. */
export const createRunId = createIdGenerator(clock.now, randomBytes);

/** Checks input and context as the engine does, and copies them as JSON. */
export type CheckRun = (
	options: Pick<EngineRunOptions, "input" | "context" | "untrustedContext">,
) => Pick<RunDefinition, "input" | "context" | "untrustedContext">;

/**
 * Creates the check of what runs of a graph are started with: the engine makes it when it starts a run, so that one is started
 * over ports that do nothing.
 *
 * @throws ConfigurationError for limits that are not whole numbers of 1 or more.
 */
export function createRunCheck(
	graph: AgentGraph,
	options: { readonly limits: RunLimits; readonly maxConcurrentCalls?: number },
): CheckRun {
	const engine = createEngine(graph, { ports: IDLE_PORTS, host: IDLE_HOST, ...options });
	return ({ input, context = {}, untrustedContext = false }) => {
		engine.start({ input, context, untrustedContext }).cancel();
		return JSON.parse(JSON.stringify({ input, context, untrustedContext }));
	};
}

const never = (): Promise<never> => new Promise(() => undefined);

const IDLE_PORTS: EnginePorts = {
	models: { resolve: never },
	retriever: { retrieve: never },
	tools: { describe: never, call: never },
	agents: { run: never },
	validate: never,
};

const IDLE_HOST: EngineHost = { now: clock.now, setTimer: () => () => undefined, createId: createRunId };
