export { Counter, Histogram, type Labels, writeGauge } from "./metric";
export { openTracer, type TracerSource } from "./open-tracer";
export { writeProcessMetrics } from "./process-metrics";
export type { RunTrace, TracedEvent } from "./run-trace";
export { createRunTraces, type RunTraces } from "./run-traces";
export type { SpanAttributes, SpanOptions, StartSpan, TracedSpan } from "./span";
export { type SpanExport, startSpanExport } from "./start-export";
export { readTraceHeaders } from "./trace-context";
export { traceModel } from "./trace-model";
