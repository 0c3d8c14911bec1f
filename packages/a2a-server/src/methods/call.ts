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

/** What a method gives: a value that is JSON, or what it tells as it happens. It has begun when its promise resolves. */
export type MethodResult = { readonly value: object } | { readonly stream: AsyncIterable<A2aStreamResponse> };

/** Throws what the caller is to be told. */
export type Method = (call: Call) => Promise<MethodResult>;
