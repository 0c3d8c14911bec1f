import type { TraceContext } from "@stemma/core";
import type { EnginePorts } from "@stemma/engine";
import { instrumentPorts } from "./instrument-ports";
import { RunTrace } from "./run-trace";
import type { StartSpan } from "./span";

/** Options of the traces of all runs of a process. */
export interface RunTracesOptions {
	readonly start: StartSpan;
	/** Inputs, outputs and arguments go into the spans. */
	readonly content: boolean;
	/** Model calls on the receipts of retrievals get their spans where they are made, in this process. Default false. */
	readonly tracesRetrievals?: boolean;
}

export interface TracedRun {
	readonly agentId: string;
	readonly parent: TraceContext | undefined;
	/** Another process runs it. Default false. */
	readonly isRemote?: boolean;
}

/** Traces of the runs of one process. */
export interface RunTraces {
	/** Starts the trace of a run, which gets the run's events from then on; `undefined` where nothing records spans. */
	start(run: TracedRun): RunTrace | undefined;
	/** Ports whose calls are part of the traces of their runs. */
	instrument(ports: EnginePorts): EnginePorts;
}

export function createRunTraces({ start, content, tracesRetrievals }: RunTracesOptions): RunTraces {
	const running = new Map<string, RunTrace>();
	const find = (runId: string): RunTrace | undefined => running.get(runId);
	let hasTraces = false;

	function onStart(runId: string, trace: RunTrace): void {
		running.set(runId, trace);
	}

	function onEnd(runId: string, trace: RunTrace): void {
		if (running.get(runId) === trace) running.delete(runId);
	}

	return {
		start({ agentId, parent, isRemote = false }) {
			const trace = RunTrace.start({ start, agentId, parent, content, isRemote, onStart, onEnd });
			hasTraces ||= trace !== undefined;
			return trace;
		},
		instrument: (ports) => instrumentPorts(ports, { find, hasTraces: () => hasTraces, tracesRetrievals }),
	};
}
