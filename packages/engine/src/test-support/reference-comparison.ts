import type { AgentGraph, ChatRequest, Json, RunEvent, RunResult } from "@stemma/core";
import { expect } from "vitest";
import { toComparable, toInvocationOrder, toModelInput } from "./reference-ports";
import type { ReferenceRun, Trace } from "./reference-types";

export interface ComparedRun {
	readonly result: RunResult;
	readonly events: readonly RunEvent[];
	readonly requests: readonly ChatRequest[];
}

/** Expects of the engine all that the reference determines. */
export function compareRuns(reference: ReferenceRun, run: ComparedRun, graph: AgentGraph): void {
	const { result, events, requests } = run;
	if (reference.isParallel && reference.codes.includes("max_steps")) {
		// How far it came depends on what was first; so does whether a failure saved steps.
		expect(result.usage.steps).toBeLessThanOrEqual(graph.limits?.maxSteps ?? 64);
		return;
	}
	const hasNumbers = !reference.isParallel;
	const comparable = (value: unknown): Json => toComparable(value, hasNumbers);
	expect(result.status).toBe(reference.status);
	if (reference.status === "failed") expect(reference.codes).toContain(result.error?.code);
	expect(comparable(result.output)).toEqual(comparable(reference.output));
	expect(result.citations.map(({ passage_id }) => passage_id)).toEqual(
		reference.cited.map(({ passage_id }) => passage_id),
	);
	const actual = toTrace(events, graph);
	expect(comparable(toComparableTrace(actual, reference.root, true))).toEqual(
		comparable(toComparableTrace(reference.root, reference.root, false)),
	);
	if (!reference.isParallel) expect(toInvocationOrder(events)).toEqual(reference.order);
	if (includesRace(reference.root)) return;
	expect(result.usage.steps).toBe(reference.steps);
	const sorted = (list: readonly unknown[]): Json[] => {
		const all = list.map(comparable);
		const key = (one: Json): string =>
			JSON.stringify(typeof one === "object" ? Object.entries(one ?? {}).sort() : one);
		return reference.isParallel ? all.sort((one, other) => (key(one) < key(other) ? -1 : 1)) : all;
	};
	expect(sorted(requests.map(toModelInput))).toEqual(sorted(reference.modelInputs));
	// A query that fails is asked once where several wait for it, and again where they come one after another.
	const failed = reference.isParallel ? failedReads(reference.root) : [];
	const rowsOf = (nodes: readonly string[]): Json[] => sorted(nodes.filter((node) => !failed.includes(node)));
	expect(rowsOf(result.receipt.map(({ node = "" }) => node))).toEqual(rowsOf(reference.receipt));
}

const includesRace = (trace: Trace): boolean => trace.hasRace === true || trace.children.some(includesRace);

const failedReads = ({ node, log, children }: Trace): string[] => [
	...(log.at(-1)?.[0] === "failed" ? [node] : []),
	...children.flatMap(failedReads),
];

/** The tree of invocations that events tell of. */
function toTrace(events: readonly RunEvent[], graph: AgentGraph): Trace {
	const traces = new Map<number, Trace>();
	const handoffs = new Set(
		graph.edges?.flatMap(({ from, to, mode }) => (mode === "handoff" ? [`${from} ${to}`] : [])),
	);
	for (const event of events) {
		if (!("invocation" in event)) continue;
		const { invocation, node } = event;
		const log = traces.get(invocation)?.log;
		if (event.type === "node.started") {
			const { mode, input } = event;
			const trace: Trace = { node, invocation, mode, input, log: [], children: [] };
			traces.set(invocation, trace);
			traces.get(event.parent ?? 0)?.children.push(trace);
		}
		if (event.type === "text.delta") log?.push(["said", event.text, event.final]);
		if (event.type === "tool.called" && !handoffs.has(`${node} ${event.callee}`))
			log?.push(["called", event.callee]);
		if (event.type === "tool.skipped") log?.push(["skipped", event.callee]);
		if (event.type === "node.completed") log?.push(["completed", event.output, event.truncated === true]);
		if (event.type === "node.failed") log?.push(["failed", [event.error.code]]);
	}
	return traces.values().next().value as Trace;
}

/** A trace as far as the reference determines it. `isActual`: it is the engine's, and told in pieces. */
function toComparableTrace(trace: Trace, reference: Trace, isActual: boolean): Json {
	const { node, mode, input, log } = trace;
	const text = textOf(trace, reference);
	const expectedText = textOf(reference, reference);
	// The answer is told at the end by the coordinator where it was not told as final text before.
	const answer = typeof log.at(-1)?.[1] === "string" ? withoutMarks(`${log.at(-1)?.[1]}`) : "";
	const comparedText = isActual && text === expectedText + answer ? expectedText : text;
	const [what = "", ...details] = log.at(-1) ?? [];
	const codes = reference.log.at(-1)?.[1] as readonly Json[] | undefined;
	const isOneOf = isActual && what === "failed" && codes?.includes((details[0] as Json[])[0] ?? "");
	const ending =
		what === "failed" ? [what, isOneOf ? (codes ?? []) : (details[0] ?? [])] : [what, ...details];
	const calls = log.filter(([what]) => what === "called" || what === "skipped");
	const children = reference.hasRace ? [] : reference.children;
	if (!reference.hasRace && children.length !== trace.children.length)
		return [node, "has other children", trace.children.map((child) => child.node)];
	return [
		...[node, mode, mode === "handoff" ? "" : input, comparedText, calls as unknown as Json, ending],
		...children.map((child, index) => toComparableTrace(trace.children[index] as Trace, child, isActual)),
	];
}

/** What a model said, all turns together; marks are left out of what may be the answer, which has numbers of its own. */
function textOf({ log }: Trace, reference: Trace): string {
	const isFinal = reference.log.some(([what, , final]) => what === "said" && final === true);
	const isModel = reference.log.some(([what]) => what === "said");
	const texts = log.flatMap(([what, text, final]) =>
		what === "said" && (isFinal || final !== true) ? [text] : [],
	);
	const all = isModel ? texts.join("") : "";
	return isFinal ? withoutMarks(all) : all;
}

const withoutMarks = (text: string): string => text.replaceAll(/[ \t]*\[\d+\]/g, "");
