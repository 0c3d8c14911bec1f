import type { SpanOptions as OtelSpanOptions, Span, TracerProvider } from "@opentelemetry/api";
import { clock } from "@stemma/core/internal";
import type { SpanAttributes, SpanOptions, StartSpan, TracedSpan } from "./span";
import { fromSpanContext, toContext, toSpanContext } from "./trace-context";

/** Version of the conventions for generative AI that names and attributes follow. */
const SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

export interface TracerScope {
	readonly name: string;
	readonly version: string;
}

/** Spans of OpenTelemetry. */
export function createTracer(provider: TracerProvider, { name, version }: TracerScope): StartSpan {
	const tracer = provider.getTracer(name, version, { schemaUrl: SCHEMA_URL });
	return (options) => {
		const span = tracer.startSpan(options.name, toSpanOptions(options), toContext(options.parent));
		return isValid(span) ? toTracedSpan(span) : undefined;
	};
}

/** Providers that record nothing give spans without an id. */
const isValid = (span: Span): boolean => !/^0*$/.test(span.spanContext().spanId);

/** `SpanKind` and `SpanStatusCode` of OpenTelemetry's API, whose numbers are part of it. */
const KINDS = { internal: 0, server: 1, client: 2 } as const;
const ERROR = 2;

const toSpanOptions = ({
	kind,
	attributes = {},
	links = [],
	startTime = clock.now(),
}: SpanOptions): OtelSpanOptions => ({
	kind: KINDS[kind],
	attributes: dropUndefined(attributes),
	links: links.map((link) => ({ context: toSpanContext(link) })),
	startTime,
});

function toTracedSpan(span: Span): TracedSpan {
	return {
		traceContext: fromSpanContext(span.spanContext()),
		set: (attributes) => void span.setAttributes(dropUndefined(attributes)),
		rename: (name) => void span.updateName(name),
		fail(code) {
			span.setStatus({ code: ERROR, message: code });
			span.setAttribute("error.type", code);
		},
		// The same clock as the starts and the events: another one may differ by some milliseconds.
		end: (endTime = clock.now()) => span.end(endTime),
	};
}

const dropUndefined = (attributes: SpanAttributes): Record<string, string | number | boolean | string[]> =>
	Object.fromEntries(
		Object.entries(attributes).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, isList(value) ? [...value] : value]],
		),
	);

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
