import type { AgentEdge, ChatReply, ChatToolCall, Json, ModelNode } from "@stemma/core";
import type { InvocationOrigin, ModelInput, ReferenceState, Trace } from "./reference-types";
import {
	fail,
	NodeFailure,
	parseArguments,
	type ReferenceMessage,
	RunEnd,
	toMessages,
	toText,
	type Value,
} from "./reference-value";

/** One invocation of a model node. */
interface TurnState {
	readonly node: ModelNode;
	readonly value: Value;
	readonly origin: InvocationOrigin;
	readonly trace: Trace;
	readonly edges: readonly AgentEdge[];
	readonly messages: ReferenceMessage[];
	readonly data: ModelInput["data"];
	/** What it says is the answer, unless it has `output`. */
	readonly isFinal: boolean;
	readonly callCounts: Map<string, number>;
	isRepaired: boolean;
}

/** Runs a model node: its prefetches, then turns until it says something, or hands over. */
export function runModel(
	run: ReferenceState,
	node: ModelNode,
	value: Value,
	origin: InvocationOrigin,
	trace: Trace,
): Value {
	const before = run.edgesOf(node.id, "before");
	const outputs = run.runAll(before, trace, ({ to }) =>
		run.invoke(to, value, { mode: "before", parent: trace, depth: origin.depth }),
	);
	const turns: TurnState = {
		node,
		value,
		origin,
		trace,
		edges: run.edgesOf(node.id, "call", "handoff"),
		messages: toMessages(value),
		data: outputs.map(({ json }, index) => [before[index]?.to ?? "", toText(json)]),
		isFinal: origin.isTail === true && run.edgesOf(node.id, "then").length === 0,
		callCounts: new Map(),
		isRepaired: false,
	};
	if (origin.note) turns.messages.push({ role: "user", content: origin.note });
	for (let turn = 1; ; turn += 1) {
		const value = runTurn(run, turns, turn);
		if (value !== undefined) return value;
	}
}

/** The node's value, or nothing where there is another turn. */
function runTurn(run: ReferenceState, turns: TurnState, turn: number): Value | undefined {
	const { node, trace, edges, isFinal, isRepaired } = turns;
	const mayCall = edges.length > 0 && turn < (node.maxTurns ?? 8) && !isRepaired;
	const { text, toolCalls, finishReason } = askModel(run, turns, mayCall);
	if (text !== "") trace.log.push(["said", text, isFinal && node.output === undefined]);
	if (finishReason === "filtered") fail("content_filtered");
	if (toolCalls.length > 0 && mayCall) {
		const handoffCall = findHandoff(run, turns, toolCalls);
		if (handoffCall !== undefined) return startHandoff(run, turns, toolCalls, handoffCall);
		makeCalls(run, turns, text, toolCalls);
		return undefined;
	}
	trace.isTruncated = finishReason === "length";
	for (const { name } of toolCalls) trace.log.push(["skipped", name]);
	if (text === "" && toolCalls.length > 0 && !isRepaired) fail("max_turns");
	const json = node.output === undefined ? text : readOutput(run, text);
	if (json !== undefined) return { json, texts: "all" };
	if (isRepaired) fail("output_invalid");
	turns.isRepaired = true;
	turns.messages.push({ role: "assistant", content: text }, { role: "user", content: "repair" });
	return undefined;
}

function askModel(run: ReferenceState, turns: TurnState, mayCall: boolean): Omit<ChatReply, "usage"> {
	const { node, origin, data, edges, messages } = turns;
	run.step();
	const modelInput: ModelInput = {
		node: node.id,
		depth: origin.depth,
		system: node.instructions && run.fill(node.instructions),
		data,
		messages: [...messages],
		tools: edges.map(({ to }) => to),
		mayCall,
		wantsJson: node.output !== undefined,
	};
	run.modelInputs.push(modelInput);
	run.receipt.push(node.id);
	const line = run.ports.reply(modelInput);
	if (line instanceof Error) return fail("model_failed");
	return {
		text: "",
		toolCalls: [],
		finishReason: "stop",
		...(typeof line === "string" ? { text: line } : line),
	};
}

/** The first handoff of a turn that can be understood. */
const findHandoff = (run: ReferenceState, { edges }: TurnState, calls: readonly ChatToolCall[]) =>
	calls.find(
		({ name, arguments: text }) =>
			edges.some(({ to, mode }) => to === name && mode === "handoff") &&
			parseArguments(text, run.nodeOf(name)) !== undefined,
	);

/** The turn's other calls are not made; models get the node's input and the note, tools what the model said. */
function startHandoff(
	run: ReferenceState,
	{ value, origin, trace, isFinal }: TurnState,
	calls: readonly ChatToolCall[],
	handoffCall: ChatToolCall,
): Value {
	for (const call of calls) if (call !== handoffCall) trace.log.push(["skipped", call.name]);
	const target = run.nodeOf(handoffCall.name);
	const args = parseArguments(handoffCall.arguments, target) ?? "";
	const common = { mode: "handoff", parent: trace, depth: origin.depth, isTail: isFinal } as const;
	return target.kind === "tool"
		? run.invoke(target.id, { json: args, texts: "none" }, common)
		: run.invoke(target.id, value, { ...common, note: toText(args) });
}

function makeCalls(
	run: ReferenceState,
	turns: TurnState,
	text: string,
	calls: readonly ChatToolCall[],
): void {
	const { origin, trace, messages } = turns;
	const inputs = calls.map((call) => resolveCall(run, turns, call));
	run.isParallel ||= inputs.filter((one) => one !== undefined).length > 1;
	const toolCallPairs = calls.map(({ name, arguments: args }) => [name, args] as const);
	messages.push({ role: "assistant", content: text, calls: toolCallPairs });
	for (const [index, { name }] of calls.entries()) {
		const calleeOrigin: InvocationOrigin = { mode: "call", parent: trace, depth: origin.depth + 1 };
		messages.push({ role: "tool", callee: name, ...runCall(run, name, inputs[index], calleeOrigin) });
	}
}

/** What a callee is given, or nothing where it may not be called, or not like this. */
function resolveCall(
	run: ReferenceState,
	{ edges, callCounts, origin, trace }: TurnState,
	call: ChatToolCall,
): Value | undefined {
	const { name } = call;
	const edge = edges.find(({ to }) => to === name);
	const args = edge && parseArguments(call.arguments, run.nodeOf(name));
	const count = callCounts.get(name) ?? 0;
	const maxCalls = (edge && "maxCalls" in edge && edge.maxCalls) || Number.POSITIVE_INFINITY;
	const isAllowed = args !== undefined && count < maxCalls && origin.depth < run.maxDepth;
	trace.log.push([isAllowed ? "called" : "skipped", name]);
	if (!isAllowed) return undefined;
	callCounts.set(name, count + 1);
	return { json: args, texts: "none" };
}

/** A callee that fails is told to its caller's model. */
function runCall(run: ReferenceState, name: string, args: Value | undefined, origin: InvocationOrigin) {
	try {
		if (args === undefined) return { content: "", isError: true };
		return { content: toText(run.invoke(name, args, origin).json) };
	} catch (error) {
		if (error instanceof RunEnd || !(error instanceof NodeFailure)) throw error;
		return { content: "", isError: true };
	}
}

function readOutput({ ports }: ReferenceState, text: string): Json | undefined {
	try {
		const json = JSON.parse(text) as Json;
		return ports.isValid(json) ? json : undefined;
	} catch {
		return undefined;
	}
}
