import type { SpanOptions as OtelSpanOptions, Span, TracerProvider } from "@opentelemetry/api";
import type { SpanAttributes, SpanOptions, StartSpan, TracedSpan } from "./span";
import { fromSpanContext, type OpenTelemetry, toContext, toSpanContext } from "./trace-context";

/** Version of the conventions for generative AI that names and attributes follow. */
const SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

export interface TracerScope {
	readonly name: string;
	readonly version: string;
}

/** Spans of OpenTelemetry. */
export function createTracer(
	api: OpenTelemetry,
	provider: TracerProvider,
	{ name, version }: TracerScope,
): StartSpan {
	const tracer = provider.getTracer(name, version, { schemaUrl: SCHEMA_URL });
	return (options) => {
		const span = tracer.startSpan(options.name, toSpanOptions(api, options), toContext(api, options.parent));
		return api.isSpanContextValid(span.spanContext()) ? toTracedSpan(api, span) : undefined;
	};
}

const toSpanOptions = (
	api: OpenTelemetry,
	{ kind, attributes = {}, links = [], startTime = Date.now() }: SpanOptions,
): OtelSpanOptions => ({
	kind: { internal: api.SpanKind.INTERNAL, client: api.SpanKind.CLIENT, server: api.SpanKind.SERVER }[kind],
	attributes: dropUndefined(attributes),
	links: links.map((link) => ({ context: toSpanContext(api, link) })),
	startTime,
});

function toTracedSpan(api: OpenTelemetry, span: Span): TracedSpan {
	return {
		traceContext: fromSpanContext(span.spanContext()),
		set: (attributes) => void span.setAttributes(dropUndefined(attributes)),
		rename: (name) => void span.updateName(name),
		fail(code) {
			span.setStatus({ code: api.SpanStatusCode.ERROR, message: code });
			span.setAttribute("error.type", code);
		},
		// The same clock as the starts and the events: another one may differ by some milliseconds.
		end: (endTime = Date.now()) => span.end(endTime),
	};
}

const dropUndefined = (attributes: SpanAttributes): Record<string, string | number | boolean | string[]> =>
	Object.fromEntries(
		Object.entries(attributes).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, isList(value) ? [...value] : value]],
		),
	);

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
