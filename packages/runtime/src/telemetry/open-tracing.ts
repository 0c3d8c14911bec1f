import type { TraceOptions, TraceRun } from "./trace-runs";

/** Where `@opentelemetry/api` keeps what is registered; of all its versions 1. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

const isRegistered = (): boolean =>
	(globalThis as { readonly [REGISTRY]?: { readonly trace?: unknown } })[REGISTRY]?.trace !== undefined;

/**
 * What traces runs. The library is loaded where spans go anywhere: most runtimes send none. Of a provider that is
 * registered while the runtime is up, the first runs are not traced.
 */
export async function openTracing(options: TraceOptions): Promise<TraceRun> {
	let traceRun: TraceRun | undefined;
	const load = async (): Promise<void> => {
		traceRun ??= (await import("./trace-runs")).traceRuns(options);
	};
	if (options.tracerProvider !== undefined || isRegistered()) await load();
	return (agentId, traceparent) => {
		if (traceRun === undefined && isRegistered()) void load();
		return traceRun?.(agentId, traceparent);
	};
}
