import type { JsonObject } from "@stemma/core";

/**
 * A run as JSON, made by `EngineRun.serialize` and continued by `Engine.resume`: of the same graph, in any process. Its
 * inside is the engine's own and may change with its version. It holds everything that the run has read and written, so
 * it is to be kept as carefully as that.
 */
export interface SerializedRun {
	/** Version of this format. */
	readonly version: 1;
	readonly run_id: string;
	readonly state: JsonObject;
}
