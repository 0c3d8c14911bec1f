import type { WireRunEvent } from "@stemma/client";
import type { Approval, Json, NodeKind, RunError, RunResult, RunStatus } from "@stemma/core";

/** One invocation of a node, or a wait for people, from its begin to its end. Times are epoch milliseconds. */
export interface RunSpan {
	/** Unique in the run. */
	readonly id: string;
	readonly kind: NodeKind | "wait";
	/** Id of the node; empty for a wait. */
	readonly node: string;
	/** Number of invocations around it. */
	readonly depth: number;
	readonly startedAt: number;
	/** `undefined` while it goes on. */
	readonly endedAt: number | undefined;
	/** `stopped`: the run ended before it did. */
	readonly status: "running" | "completed" | "failed" | "stopped";
	readonly input?: Json;
	readonly output?: Json;
	readonly error?: RunError;
	/** Text of the node while there is no output yet. */
	readonly text: string;
	/** Calls that the node asked for and that were not made. */
	readonly skipped: readonly { readonly node: string; readonly reason: string }[];
	/** Calls that people decide on, of a wait. */
	readonly approvals: readonly Approval[];
}

/** A run, as its events so far show it. */
export interface RunView {
	readonly status: "running" | RunStatus;
	readonly events: readonly WireRunEvent[];
	/** Spans by their ids, in the order of their begin. */
	readonly spans: ReadonlyMap<string, RunSpan>;
	/** Answer so far. */
	readonly text: string;
	/** Result, once the run has ended or waits. */
	readonly result: RunResult | undefined;
}

export const EMPTY_RUN_VIEW: RunView = {
	status: "running",
	events: [],
	spans: new Map(),
	text: "",
	result: undefined,
};

/** State of a reduction, which changes in place. */
interface Draft {
	status: RunView["status"];
	text: string;
	result: RunResult | undefined;
	readonly spans: Map<string, RunSpan>;
}

/** Adds events to what is shown of a run. */
export function reduceRunView(view: RunView, events: readonly WireRunEvent[]): RunView {
	const draft: Draft = { ...view, spans: new Map(view.spans) };
	for (const event of events) addEvent(draft, event);
	return { ...draft, events: [...view.events, ...events] };
}

function addEvent(draft: Draft, event: WireRunEvent): void {
	const at = Date.parse(event.at);
	switch (event.type) {
		case "node.started":
			return startNode(draft, event, at);
		case "node.completed":
			return change(draft, toSpanId(event.invocation), {
				status: "completed",
				endedAt: at,
				output: event.output,
			});
		case "node.failed":
			return change(draft, toSpanId(event.invocation), { status: "failed", endedAt: at, error: event.error });
		case "tool.skipped": {
			const skipped = draft.spans.get(toSpanId(event.invocation))?.skipped ?? [];
			const call = { node: event.callee, reason: event.reason };
			return change(draft, toSpanId(event.invocation), { skipped: [...skipped, call] });
		}
		case "text.delta":
			return addText(draft, event);
		case "text.reset":
			draft.text = "";
			return;
		case "run.paused":
			return startWait(draft, event, at);
		case "run.resumed":
			draft.status = "running";
			return endWaits(draft, at);
		case "run.completed":
		case "run.failed":
		case "run.cancelled":
			return endRun(draft, event.result, at);
	}
}

const toSpanId = (invocation: number): string => `node ${invocation}`;

function change(draft: Draft, id: string, changes: Partial<RunSpan>): void {
	const span = draft.spans.get(id);
	if (span !== undefined) draft.spans.set(id, { ...span, ...changes });
}

function addSpan(draft: Draft, span: Pick<RunSpan, "id" | "kind" | "startedAt"> & Partial<RunSpan>): void {
	const rest = { node: "", depth: 0, endedAt: undefined, text: "", skipped: [], approvals: [] };
	draft.spans.set(span.id, { status: "running", ...rest, ...span });
}

type EventOf<Type extends WireRunEvent["type"]> = Extract<WireRunEvent, { readonly type: Type }>;

function startNode(draft: Draft, event: EventOf<"node.started">, startedAt: number): void {
	const { node, kind, input, invocation, parent } = event;
	const around = parent === undefined ? undefined : draft.spans.get(toSpanId(parent));
	const depth = around === undefined ? 0 : around.depth + 1;
	addSpan(draft, { id: toSpanId(invocation), kind, node, depth, startedAt, input });
}

function addText(draft: Draft, { invocation, text, final }: EventOf<"text.delta">): void {
	if (final) draft.text += text;
	const span = draft.spans.get(toSpanId(invocation));
	if (span !== undefined) draft.spans.set(span.id, { ...span, text: span.text + text });
}

function startWait(draft: Draft, { seq, result }: EventOf<"run.paused">, startedAt: number): void {
	draft.status = "paused";
	draft.result = result;
	addSpan(draft, { id: `wait ${seq}`, kind: "wait", startedAt, approvals: result.approvals ?? [] });
}

function endWaits({ spans }: Draft, endedAt: number): void {
	for (const span of spans.values())
		if (span.kind === "wait" && span.endedAt === undefined)
			spans.set(span.id, { ...span, status: "completed", endedAt });
}

function endRun(draft: Draft, result: RunResult, endedAt: number): void {
	const { status, output } = result;
	draft.status = status;
	draft.result = result;
	if (typeof output === "string") draft.text = output;
	endWaits(draft, endedAt);
	for (const span of draft.spans.values())
		if (span.status === "running") draft.spans.set(span.id, { ...span, status: "stopped", endedAt });
}
