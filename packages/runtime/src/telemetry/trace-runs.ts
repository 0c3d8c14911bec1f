import { SpanKind, type TracerProvider, trace } from "@opentelemetry/api";
import { version } from "../../package.json";
import type { RunObserver } from "../runs/run";
import { RunTracer } from "./run-tracer";
import { readTraceContext } from "./trace-context";

export interface TraceOptions {
	/** Gets a span for each run, node, tool and model call. Default: what is registered globally, if anything is. */
	readonly tracerProvider?: TracerProvider | undefined;
	/** Inputs, outputs and arguments go into the spans: they may hold anything that people wrote. Default false. */
	readonly traceContent?: boolean | undefined;
}

/**
 * Makes what traces one run; nothing for a run that is not recorded, or where no provider is registered.
 *
 * @param traceparent - of the request that started it.
 */
export type TraceRun = (agentId: string, traceparent: string | undefined) => RunObserver | undefined;

export function traceRuns({ tracerProvider, traceContent = false }: TraceOptions): TraceRun {
	const tracer = (tracerProvider ?? trace).getTracer("@stemma/runtime", version);
	return (agentId, traceparent) => {
		const parent = readTraceContext(traceparent);
		const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": agentId };
		const span = tracer.startSpan(`invoke_agent ${agentId}`, { kind: SpanKind.INTERNAL, attributes }, parent);
		if (!span.isRecording()) return undefined;
		return new RunTracer({ tracer, parent, span, agentId, content: traceContent });
	};
}
