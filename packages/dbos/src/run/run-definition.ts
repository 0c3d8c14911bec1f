import type { AgentGraph, Json, JsonObject, RunLimits } from "@stemma/core";

/** All that a run is started with, as it is stored: every execution runs this graph, whatever the program defines by then. */
export interface RunDefinition {
	readonly graph: AgentGraph;
	readonly input: Json;
	readonly context: JsonObject;
	readonly untrustedContext: boolean;
	readonly limits: RunLimits;
	readonly maxConcurrentCalls: number | null;
}
