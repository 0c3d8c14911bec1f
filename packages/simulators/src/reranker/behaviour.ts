import type { RawResponse, Silence } from "../raw-response.ts";
import type { Fields } from "./field-checks.ts";

/** What the simulator does with a request that it took. */
export type Behaviour = SimulatedScores | SimulatedFailure | RawResponse | Silence;

/** Scores, best first. */
export interface SimulatedScores {
	readonly kind: "scores";
	/** One for each text, in their order. Default: by the words that a text shares with the query. */
	readonly scores?: readonly number[];
	/** How many of the best are left out, as gateways with a limit of their own do. Default 0. */
	readonly omitCount?: number;
	/** Default: counted from the lengths, where the vendor tells usage. */
	readonly usage?: SimulatedUsage | "none";
	/** Before the headers. */
	readonly delayMs?: number;
}

export interface SimulatedUsage {
	readonly inputTokens: number;
}

/** An error answer; the body is the vendor's error object unless another is given. */
export interface SimulatedFailure {
	readonly kind: "failure";
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly message?: string;
	/** Where the vendor has one: a code (Together), an `error_type` (TEI). */
	readonly type?: string;
	readonly body?: string;
}

/** What is done where nothing is queued. */
export type DefaultBehaviour = (body: Fields) => Behaviour;
