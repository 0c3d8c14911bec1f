import type { WireRunEvent } from "@stemma/client";
import type { Json, NodeKind, RunError, RunEvent, RunResult, TraceContext } from "@stemma/core";
import { STEMMA_PROVIDER, toMessages } from "./genai-attributes";
import { type SpanAttributes, type StartSpan, startWithin, type TracedSpan } from "./span";

/** An event of a run: of the engine, or as it comes over the wire. */
export type TracedEvent = RunEvent | WireRunEvent;

export interface RunTraceOptions {
	readonly start: StartSpan;
	readonly agentId: string;
	/** The request that started it, or goes on with it. */
	readonly parent: TraceContext | undefined;
	/** Inputs, outputs and arguments go into the spans: they may hold anything that people wrote. */
	readonly content: boolean;
	/** The run is another process's: its nodes are traced there. */
	readonly isRemote: boolean;
	/** Gets the run's id once it has one; called again when the run goes on. */
	readonly onStart: (runId: string, trace: RunTrace) => void;
	readonly onEnd: (runId: string, trace: RunTrace) => void;
}

/** An invocation that has started and not ended. */
interface OpenNode {
	readonly node: string;
	readonly kind: NodeKind;
	readonly mode: string;
	readonly parent: number | undefined;
	/** Id of the model's call that led to the invocation. */
	readonly callId: string | undefined;
	/** Span of a node with a model. Other nodes have spans where they are executed. */
	span: TracedSpan | undefined;
}

/**
 * Spans of one run, by the GenAI semantic conventions of OpenTelemetry: `invoke_agent` for the run and for each of its model
 * nodes. What a node calls has its spans from the ports ({@link instrumentPorts}), within that of the node.
 *
 * A span does not wait for a person for days: where a run pauses, its spans end, and where it goes on, new ones are linked
 * to those before.
 */
export class RunTrace {
	readonly content: boolean;
	readonly #options: RunTraceOptions;
	readonly #nodes = new Map<number, OpenNode>();
	/** Ids of calls whose invocations have not started yet, in order, by caller and callee. */
	readonly #calls = new Map<string, string[]>();
	#runId = "";
	#span: TracedSpan | undefined;
	#isOpen = true;

	private constructor(options: RunTraceOptions, span: TracedSpan) {
		this.#options = options;
		this.content = options.content;
		this.#span = span;
	}

	/** Starts the trace of a run; `undefined` where nothing records spans. */
	static start(options: RunTraceOptions): RunTrace | undefined {
		const span = startRunSpan(options, []);
		return span && new RunTrace(options, span);
	}

	/** Place of the run in its trace. */
	get traceContext(): TraceContext | undefined {
		return this.#span?.traceContext;
	}

	/** Starts spans within the one of an invocation, or of the nearest around it. */
	childOf(invocation: number | undefined): StartSpan {
		return startWithin(this.#options.start, this.#parentOf(invocation));
	}

	/** Starts spans within another one. */
	childOfSpan({ traceContext }: TracedSpan): StartSpan {
		return startWithin(this.#options.start, traceContext);
	}

	/** Id of the model's call that led to an invocation. */
	callIdOf(invocation: number | undefined): string | undefined {
		return invocation === undefined ? undefined : this.#nodes.get(invocation)?.callId;
	}

	/** A message as attributes hold it. */
	write(role: "user" | "assistant", value: Json): string {
		return toMessages(role, value);
	}

	/** Ends the trace of a run that was refused before it started. */
	reject(code: string): void {
		this.#span?.fail(code);
		this.#endRun(undefined);
	}

	onEvent(event: TracedEvent): void {
		const at = toMs(event.at);
		switch (event.type) {
			case "run.started":
				return this.#start(event.run_id);
			case "run.resumed":
				return this.#resume(event.run_id, at);
			case "node.started":
				return this.#startNode(event, at);
			case "tool.called":
				return this.#queueCall(`${event.invocation} ${event.callee}`, event.call_id);
			case "node.completed":
				return this.#endNode(event.invocation, at, this.#writeOutput(event.output));
			case "node.failed":
				return this.#endNode(event.invocation, at, {}, event.error);
			case "run.paused":
				return this.#pause(at);
			case "run.completed":
			case "run.failed":
			case "run.cancelled":
				return this.#finish(event.result, at);
		}
	}

	#start(runId: string): void {
		this.#runId = runId;
		this.#span?.set({ "stemma.run.id": runId });
		this.#options.onStart(runId, this);
	}

	/** A trace that was made for this part of the run has its span already. */
	#resume(runId: string, at: number): void {
		if (!this.#isOpen) {
			this.#isOpen = true;
			this.#span = startRunSpan(this.#options, toLinks(this.#span), at);
		}
		this.#start(runId);
		for (const open of this.#nodes.values())
			if (open.span !== undefined) open.span = this.#startSpan(open, at, {}, toLinks(open.span));
	}

	#queueCall(key: string, callId: string): void {
		const queued = this.#calls.get(key) ?? [];
		queued.push(callId);
		this.#calls.set(key, queued);
	}

	#dequeueCall(key: string): string | undefined {
		const queued = this.#calls.get(key);
		const callId = queued?.shift();
		if (queued?.length === 0) this.#calls.delete(key);
		return callId;
	}

	#startNode(event: Extract<TracedEvent, { type: "node.started" }>, at: number): void {
		if (this.#options.isRemote) return;
		const { node, kind, mode, invocation, parent, input } = event;
		const callId = this.#dequeueCall(`${parent} ${node}`);
		const open: OpenNode = { node, kind, mode, parent, callId, span: undefined };
		if (kind === "coordinator" || kind === "agent")
			open.span = this.#startSpan(open, at, this.#writeInput(input));
		this.#nodes.set(invocation, open);
	}

	#startSpan(
		{ node, kind, mode, parent }: OpenNode,
		at: number,
		attributes: SpanAttributes,
		links: readonly TraceContext[] = [],
	): TracedSpan | undefined {
		return this.#options.start({
			name: `invoke_agent ${node}`,
			kind: "internal",
			parent: this.#parentOf(parent),
			links,
			startTime: at,
			attributes: {
				"gen_ai.operation.name": "invoke_agent",
				"gen_ai.provider.name": STEMMA_PROVIDER,
				"gen_ai.agent.name": node,
				"stemma.node": node,
				"stemma.node.kind": kind,
				"stemma.node.mode": mode,
				...attributes,
			},
		});
	}

	#endNode(invocation: number, at: number, attributes: SpanAttributes, error?: RunError): void {
		const span = this.#nodes.get(invocation)?.span;
		this.#nodes.delete(invocation);
		span?.set(attributes);
		if (error !== undefined) span?.fail(error.code);
		span?.end(at);
	}

	#pause(at: number): void {
		for (const { span } of [...this.#nodes.values()].reverse()) span?.end(at);
		this.#span?.set({ "stemma.run.status": "paused" });
		this.#endRun(at);
	}

	#finish({ status, error }: RunResult, at: number): void {
		for (const { span } of [...this.#nodes.values()].reverse()) {
			span?.fail(error?.code ?? status);
			span?.end(at);
		}
		this.#nodes.clear();
		this.#span?.set({ "stemma.run.status": status });
		if (error !== undefined) this.#span?.fail(error.code);
		this.#endRun(at);
	}

	#endRun(at: number | undefined): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		this.#span?.end(at);
		this.#options.onEnd(this.#runId, this);
	}

	#parentOf(invocation: number | undefined): TraceContext | undefined {
		for (let number = invocation; number !== undefined; number = this.#nodes.get(number)?.parent) {
			const span = this.#nodes.get(number)?.span;
			if (span !== undefined) return span.traceContext;
		}
		return this.traceContext;
	}

	#writeInput = (input: Json): SpanAttributes =>
		this.content ? { "gen_ai.input.messages": toMessages("user", input) } : {};

	#writeOutput = (output: Json): SpanAttributes =>
		this.content ? { "gen_ai.output.messages": toMessages("assistant", output) } : {};
}

function startRunSpan(
	{ agentId, start, parent, isRemote }: RunTraceOptions,
	links: readonly TraceContext[],
	startTime?: number,
): TracedSpan | undefined {
	return start({
		name: `invoke_agent ${agentId}`,
		kind: isRemote ? "client" : "internal",
		parent,
		links,
		startTime,
		attributes: {
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.provider.name": STEMMA_PROVIDER,
			"gen_ai.agent.id": agentId,
			"gen_ai.agent.name": agentId,
		},
	});
}

const toLinks = (span: TracedSpan | undefined): readonly TraceContext[] =>
	span === undefined ? [] : [span.traceContext];

const toMs = (at: number | string): number => (typeof at === "number" ? at : Date.parse(at));
