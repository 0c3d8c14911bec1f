import type { WireRunEvent } from "@stemma/client";
import type { Json, JsonObject } from "@stemma/core";

/** What a run is started with. */
export interface RunInput {
	readonly input: Json;
	readonly context?: JsonObject;
}

/** How a run stands towards the world. */
export interface RunSetting {
	/** Cancels the run. */
	readonly signal: AbortSignal;
	/** Hops between services and runtimes so far; goes along with every call that the run makes. */
	readonly depth: number;
}

/** An agent that can be run, wherever that happens. */
export interface RunnableAgent {
	/** Starts a run; its events come in order, the first as soon as the run has begun. */
	start(input: RunInput, setting: RunSetting): AsyncIterable<WireRunEvent>;
}
