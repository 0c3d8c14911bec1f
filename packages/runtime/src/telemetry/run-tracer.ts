import {
	type Attributes,
	type Context,
	type Span,
	SpanKind,
	SpanStatusCode,
	type Tracer,
	trace,
} from "@opentelemetry/api";
import type { Json, NodeKind, ReceiptRow, RunError, RunResult } from "@stemma/core";
import type { SourceEvent } from "../agents/runnable-agent";
import type { RunObserver } from "../runs/run";

export interface RunTracerOptions {
	readonly tracer: Tracer;
	/** What the run is part of. */
	readonly parent: Context;
	/** Of the run; it was begun just now. */
	readonly span: Span;
	readonly agentId: string;
	/** Inputs, outputs and arguments go into the spans: they may hold anything that people wrote. */
	readonly content: boolean;
}

interface OpenSpan {
	readonly span: Span;
	readonly context: Context;
}

/**
 * The spans of one run, by the GenAI semantic conventions of OpenTelemetry: `invoke_agent` for the run and for each of its
 * model nodes and remote agents, `execute_tool` for tools, `retrieval` for knowledge, and at the end `chat` for each model
 * call of the receipt, which tells how long it took but not when it began: it ends where its node did.
 */
export class RunTracer implements RunObserver {
	readonly #options: RunTracerOptions;
	#run: OpenSpan | undefined;
	readonly #nodes = new Map<number, OpenSpan>();
	/** By node id, of those that have ended: model calls are told at the end. */
	readonly #ended = new Map<string, { readonly context: Context; readonly at: number }>();
	/** Arguments and ids of calls that are about to start, by the invocation that calls. */
	readonly #calls = new Map<string, string>();

	constructor(options: RunTracerOptions) {
		const { span, parent } = options;
		this.#options = options;
		this.#run = { span, context: trace.setSpan(parent, span) };
	}

	onEvent(event: SourceEvent): void {
		switch (event.type) {
			case "run.started":
				this.#describeRun(event.run_id);
				return;
			case "run.resumed":
				this.#resume(event.run_id, toMs(event.at));
				return;
			case "node.started":
				this.#startNode(event);
				return;
			case "tool.called":
				this.#calls.set(`${event.invocation} ${event.callee}`, event.call_id);
				return;
			case "node.completed": {
				const { input_tokens, output_tokens, model_calls } = event.usage;
				const used: Attributes =
					model_calls === 0
						? {}
						: { "gen_ai.usage.input_tokens": input_tokens, "gen_ai.usage.output_tokens": output_tokens };
				this.#endNode(event.node, event.invocation, toMs(event.at), {
					...used,
					...this.#write("gen_ai.output.messages", event.output),
				});
				return;
			}
			case "node.failed":
				this.#endNode(event.node, event.invocation, toMs(event.at), {}, event.error);
				return;
			case "run.paused":
			case "run.completed":
			case "run.failed":
			case "run.cancelled":
				this.#endRun(event.result, toMs(event.at));
		}
	}

	#describeRun(runId: string): void {
		const { agentId } = this.#options;
		this.#run?.span.setAttributes({
			"gen_ai.provider.name": PROVIDER,
			"gen_ai.agent.name": agentId,
			"stemma.run.id": runId,
		});
	}

	/** A span does not wait for a person for days: the run goes on in one of its own, linked to the one before. */
	#resume(runId: string, at: number): void {
		const { agentId, parent, tracer, span } = this.#options;
		const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": agentId };
		const links = [{ context: span.spanContext() }];
		const next = tracer.startSpan(
			`invoke_agent ${agentId}`,
			{ kind: SpanKind.INTERNAL, startTime: at, attributes, links },
			parent,
		);
		this.#run = { span: next, context: trace.setSpan(parent, next) };
		this.#describeRun(runId);
	}

	#startNode({
		node,
		kind,
		mode,
		invocation,
		parent,
		input,
		at,
	}: Extract<SourceEvent, { type: "node.started" }>): void {
		const above = (parent === undefined ? undefined : this.#nodes.get(parent)) ?? this.#run;
		if (above === undefined) return;
		const operation = OPERATIONS[kind];
		const callId = this.#calls.get(`${parent} ${node}`);
		const open = this.#start(`${operation} ${node}`, above.context, toMs(at), {
			"gen_ai.operation.name": operation,
			"gen_ai.provider.name": PROVIDER,
			[NAMES[kind]]: node,
			"stemma.node.kind": kind,
			"stemma.node.mode": mode,
			...(kind === "tool" ? { "gen_ai.tool.type": "function" } : {}),
			...(callId === undefined ? {} : { "gen_ai.tool.call.id": callId }),
			...this.#write(kind === "tool" ? "gen_ai.tool.call.arguments" : "gen_ai.input.messages", input),
		});
		this.#nodes.set(invocation, open);
	}

	#endNode(node: string, invocation: number, at: number, attributes: Attributes, error?: RunError): void {
		const open = this.#nodes.get(invocation);
		if (open === undefined) return;
		this.#nodes.delete(invocation);
		this.#ended.set(node, { context: open.context, at });
		open.span.setAttributes(attributes);
		if (error !== undefined) fail(open.span, error);
		open.span.end(at);
	}

	/** Its end, or a pause: model calls are told once, at the end. */
	#endRun({ status, usage, receipt, error }: RunResult, at: number): void {
		const run = this.#run;
		if (run === undefined) return;
		if (status !== "paused") for (const row of receipt) this.#traceModelCall(row, run, at);
		for (const { span } of this.#nodes.values()) {
			if (status !== "paused") fail(span, error ?? { code: status });
			span.end(at);
		}
		this.#nodes.clear();
		run.span.setAttributes({
			"gen_ai.usage.input_tokens": usage.input_tokens,
			"gen_ai.usage.output_tokens": usage.output_tokens,
			"stemma.run.status": status,
		});
		if (error !== undefined) fail(run.span, error);
		run.span.end(at);
		this.#run = undefined;
	}

	#traceModelCall(row: ReceiptRow, run: OpenSpan, at: number): void {
		const ended = row.node === undefined ? undefined : this.#ended.get(row.node);
		const endedAt = Math.min(ended?.at ?? at, at);
		const operation = row.stage === "embed" ? "embeddings" : "chat";
		const { span } = this.#start(
			row.model ? `${operation} ${row.model}` : operation,
			ended?.context ?? run.context,
			endedAt - row.ms,
			{
				"gen_ai.operation.name": operation,
				"gen_ai.provider.name": row.provider,
				"gen_ai.request.model": row.model,
				"gen_ai.usage.input_tokens": row.input_tokens,
				"gen_ai.usage.output_tokens": row.output_tokens,
				"stemma.payer": row.payer,
				"stemma.stage": row.stage,
				...(row.vendor_host === "" ? {} : { "server.address": row.vendor_host }),
				...(row.node === undefined ? {} : { "stemma.node": row.node }),
			},
			SpanKind.CLIENT,
		);
		span.end(endedAt);
	}

	#start(
		name: string,
		parent: Context,
		startTime: number,
		attributes: Attributes,
		kind: SpanKind = SpanKind.INTERNAL,
	): OpenSpan {
		const span = this.#options.tracer.startSpan(name, { kind, startTime, attributes }, parent);
		return { span, context: trace.setSpan(parent, span) };
	}

	#write(name: string, value: Json): Attributes {
		if (!this.#options.content) return {};
		return { [name]: typeof value === "string" ? value : JSON.stringify(value) };
	}
}

/** What makes the spans that are no model's. */
const PROVIDER = "stemma";

const OPERATIONS: Readonly<Record<NodeKind, string>> = {
	coordinator: "invoke_agent",
	agent: "invoke_agent",
	remote: "invoke_agent",
	tool: "execute_tool",
	knowledge: "retrieval",
};

const NAMES: Readonly<Record<NodeKind, string>> = {
	coordinator: "gen_ai.agent.name",
	agent: "gen_ai.agent.name",
	remote: "gen_ai.agent.name",
	tool: "gen_ai.tool.name",
	knowledge: "gen_ai.data_source.id",
};

/** The code alone: messages may repeat what people wrote. */
function fail(span: Span, { code }: Pick<RunError, "code">): void {
	span.setStatus({ code: SpanStatusCode.ERROR, message: code });
	span.setAttribute("error.type", code);
}

const toMs = (at: number | string): number => (typeof at === "number" ? at : Date.parse(at));
