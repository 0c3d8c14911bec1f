import type { A2aStreamResponse } from "@stemma/client/a2a";
import type { Params } from "../requests/params";
import type { ServedAgent } from "../served-agent";

/** One call of a method, however it came. */
export interface Call {
	readonly agent: ServedAgent;
	readonly params: Params;
	/** URIs from `A2A-Extensions`. */
	readonly extensions: readonly string[];
	/** Aborts when the caller has left. */
	readonly signal: AbortSignal;
}

/** Result of a method: a JSON value, or a stream of updates. The method has begun when its promise resolves. */
export type MethodResult = { readonly value: object } | { readonly stream: AsyncIterable<A2aStreamResponse> };

/** Throws what the caller is to be told. */
export type Method = (call: Call) => Promise<MethodResult>;
