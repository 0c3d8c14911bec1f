import type { TraceContext } from "@stemma/core";

/** Attributes of a span, by the names of OpenTelemetry's semantic conventions; `undefined` leaves one out. */
export type SpanAttributes = Readonly<
	Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface SpanOptions {
	readonly name: string;
	/** `client` for calls to other processes, `server` for requests that came in. */
	readonly kind: "internal" | "client" | "server";
	/** Parent of the span. Default: none, and the span begins a trace. */
	readonly parent?: TraceContext | undefined;
	/** Spans that it goes on from without being part of them. */
	readonly links?: readonly TraceContext[];
	readonly attributes?: SpanAttributes;
	/** Epoch milliseconds. Default: now. */
	readonly startTime?: number | undefined;
}

/** A span under way. */
export interface TracedSpan {
	/** Trace context of the span, for child spans and for requests that are part of it. */
	readonly traceContext: TraceContext;
	set(attributes: SpanAttributes): void;
	rename(name: string): void;
	/** Gives it the status ERROR and `error.type`. The code alone: messages may repeat what people wrote. */
	fail(code: string): void;
	/** @param endTime - epoch milliseconds. Default: now. */
	end(endTime?: number): void;
}

/** Starts a span; `undefined` where nothing records spans. */
export type StartSpan = (options: SpanOptions) => TracedSpan | undefined;

/** Starts spans within a place of a trace. */
export const startWithin =
	(start: StartSpan, parent: TraceContext | undefined): StartSpan =>
	(options) =>
		start({ ...options, parent });
