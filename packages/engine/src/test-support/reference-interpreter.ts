import type { AgentEdge, AgentGraph, AgentNode, EdgeMode, Json, JsonObject } from "@stemma/core";
import type { RetrievedPassage } from "../index";
import { context } from "./reference-ports";
import { runModel } from "./reference-turns";
import type {
	InvocationOrigin,
	ReferencePorts,
	ReferenceRun,
	ReferenceState,
	Trace,
} from "./reference-types";
import {
	chooseBranch,
	conversationOf,
	fail,
	lastUserMessage,
	NodeFailure,
	RunEnd,
	toAnswer,
	toArguments,
	toQuery,
	toRemoteInput,
	toText,
	type Value,
} from "./reference-value";

/** Runs a graph as its description says, one thing after another. */
export function interpret(
	graph: AgentGraph,
	input: Json,
	fill: (instructions: string) => string,
	ports: ReferencePorts,
): ReferenceRun {
	const { maxSteps = 64, maxDepth = 8 } = graph.limits ?? {};
	const passages: (RetrievedPassage & { readonly by?: string })[] = [];
	const retrieved = new Map<string, readonly RetrievedPassage[]>();
	const order: string[] = [];
	let [steps, invocations] = [0, 0];
	const nodeOf = (id: string): AgentNode => graph.nodes.find((node) => node.id === id) ?? fail("no_node");
	const edgesOf = (id: string, ...modes: EdgeMode[]): AgentEdge[] =>
		(graph.edges ?? []).filter(({ from, mode = "call" }) => from === id && modes.includes(mode));
	const shared = { graph, ports, fill, maxDepth, step, nodeOf, edgesOf, invoke, runAll };
	const state: ReferenceState = { ...shared, modelInputs: [], receipt: [], isParallel: false };

	// Agents cannot put their words in the place of what was retrieved, nor of what others cite.
	const numberOf = (passage: RetrievedPassage, by?: string): number => {
		const find = (by?: string): number =>
			passages.findIndex((one) => one.passage_id === passage.passage_id && one.by === by);
		const index = find() < 0 && by !== undefined ? find(by) : find();
		return index < 0 ? passages.push({ ...passage, ...(by === undefined ? {} : { by }) }) : index + 1;
	};
	function step(): void {
		if (steps === maxSteps) throw new RunEnd(["max_steps"]);
		steps += 1;
	}

	function invoke(id: string, value: Value, origin: InvocationOrigin): Value {
		step();
		invocations += 1;
		const { mode } = origin;
		const trace: Trace = {
			node: id,
			invocation: invocations,
			mode,
			input: value.json,
			log: [],
			children: [],
		};
		origin.parent?.children.push(trace);
		root ??= trace;
		order.push(`+${trace.invocation} ${id}`);
		try {
			const own = run(nodeOf(id), value, { ...origin, parent: trace }, trace);
			const after = continueWith(id, own, { ...origin, parent: trace }, trace);
			trace.log.push(["completed", after.json, trace.isTruncated === true]);
			return after;
		} catch (error) {
			if (error instanceof NodeFailure) trace.log.push(["failed", [...error.codes]]);
			throw error;
		} finally {
			order.push(`-${trace.invocation} ${id}`);
		}
	}

	function run(node: AgentNode, value: Value, origin: InvocationOrigin, trace: Trace): Value {
		if (node.kind === "knowledge") return runKnowledge(node.id, origin.note || toQuery(value));
		if (node.kind === "tool") return runTool(node, origin.mode === "call" ? value.json : toArguments(value));
		if (node.kind === "remote") return runRemote(node, value, origin.note);
		return runModel(state, node, value, origin, trace);
	}

	function runAll(edges: readonly AgentEdge[], trace: Trace, invokeOne: (edge: AgentEdge) => Value): Value[] {
		state.isParallel ||= edges.length > 1;
		const codes: string[] = [];
		const values = edges.flatMap((edge) => {
			try {
				return [invokeOne(edge)];
			} catch (error) {
				if (error instanceof RunEnd || !(error instanceof NodeFailure)) throw error;
				codes.push(...error.codes);
				return [];
			}
		});
		trace.hasRace = edges.length > 1 && codes.length > 0;
		if (codes.length > 0) throw new NodeFailure(codes);
		return values;
	}

	function continueWith(id: string, own: Value, origin: InvocationOrigin, trace: Trace): Value {
		const edges = edgesOf(id, "then");
		const args: Value = { json: own.json, texts: own.texts };
		const isSwitch = edges.some((edge) => edge.mode === "then" && edge.when !== undefined);
		const one = isSwitch ? chooseBranch(edges, own.json) : edges[0];
		if (one === undefined) return own;
		if (isSwitch || edges.length === 1)
			return runAll([one], trace, ({ to }) =>
				invoke(to, args, { ...origin, note: "", mode: "then" }),
			)[0] as Value;
		const values = runAll(edges, trace, ({ to }) =>
			invoke(to, args, { ...origin, note: "", mode: "then", isTail: false }),
		);
		const texts = Object.fromEntries(edges.map(({ to }, index) => [to, values[index] as Value]));
		return { json: Object.fromEntries(Object.entries(texts).map(([to, { json }]) => [to, json])), texts };
	}

	function runKnowledge(id: string, query: string): Value {
		if (query.trim() === "") fail("no_query");
		const key = JSON.stringify([id, query]);
		const found = retrieved.get(key) ?? ports.retrieve(id, query);
		if (!retrieved.has(key)) state.receipt.push(id);
		if (found instanceof Error) return fail("retrieval_failed");
		retrieved.set(key, found);
		const listed = found.map((passage) => ({ n: numberOf(passage), text: passage.text }));
		return { json: { query, passages: listed }, texts: "none" };
	}

	function runTool(node: AgentNode & { kind: "tool" }, callInput: Json): Value {
		const args = { ...(callInput as JsonObject), ...node.arguments };
		if (node.approval && !ports.approves(node.id, args)) fail("approval_denied");
		const json = ports.call(node.id, args);
		return json instanceof Error ? fail("tool_failed") : { json, texts: "none" };
	}

	function runRemote(node: AgentNode & { kind: "remote" }, value: Value, note = ""): Value {
		const own = node.url === undefined ? value.json : lastUserMessage(value);
		const messages = node.url === undefined ? conversationOf(value) : undefined;
		const joined: unknown = messages
			? { messages: [...messages, { role: "user", content: note }] }
			: `${toText(own)}\n\n${note}`;
		const input = note === "" ? (messages ? own : toRemoteInput(own)) : (joined as Json);
		const sent = node.url === undefined ? { input, context } : { input };
		if (node.approval && !ports.approves(node.id, sent)) fail("approval_denied");
		const outcome = ports.ask(node.id, input);
		state.receipt.push(`${node.id}/theirs`);
		if (outcome instanceof Error) return fail("remote_failed");
		const marks = new Map(
			(outcome.citations ?? []).map((one) => [`[${one.n}]`, `[${numberOf(one, node.id)}]`]),
		);
		const json = outcome.output;
		const isCiting = typeof json === "string" && marks.size > 0;
		return isCiting
			? { json: json.replace(/\[\d+\]/g, (mark) => marks.get(mark) ?? ""), texts: "all" }
			: { json, texts: "none" };
	}

	let root: Trace | undefined;
	const coordinator = graph.nodes.find(({ kind }) => kind === "coordinator")?.id ?? "";
	const toResult = (
		status: "completed" | "failed",
		codes: readonly string[],
		[output, cited]: [Json, RetrievedPassage[]],
	) => ({ ...state, status, codes, output, cited, root: root as Trace, order, steps }) as const;
	try {
		const value = invoke(
			coordinator,
			{ json: input, texts: "none", isInput: true },
			{ mode: "start", depth: 0, isTail: true },
		);
		return toResult("completed", [], toAnswer(value, passages));
	} catch (error) {
		if (!(error instanceof NodeFailure)) throw error;
		return toResult("failed", error.codes, [null, []]);
	}
}
