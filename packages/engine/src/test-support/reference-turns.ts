import type { AgentEdge, ChatReply, ChatToolCall, Json, ModelNode } from "@stemma/core";
import type { Place, ReferenceState, Seen, Trace } from "./reference-types";
import {
	fail,
	NodeFailure,
	RunEnd,
	readArguments,
	type Said,
	toMessages,
	toText,
	type Value,
} from "./reference-value";

/** One invocation of a model node. */
interface Turns {
	readonly node: ModelNode;
	readonly value: Value;
	readonly place: Place;
	readonly trace: Trace;
	readonly edges: readonly AgentEdge[];
	readonly messages: Said[];
	readonly data: Seen["data"];
	/** What it says is the answer, unless it has `output`. */
	readonly isFinal: boolean;
	readonly made: Map<string, number>;
	isRepaired: boolean;
}

/** Runs a model node: its prefetches, then turns until it says something, or hands over. */
export function runModel(
	run: ReferenceState,
	node: ModelNode,
	value: Value,
	place: Place,
	trace: Trace,
): Value {
	const before = run.edgesOf(node.id, "before");
	const outputs = run.runAll(before, trace, ({ to }) =>
		run.invoke(to, value, { mode: "before", parent: trace, depth: place.depth }),
	);
	const turns: Turns = {
		node,
		value,
		place,
		trace,
		edges: run.edgesOf(node.id, "call", "handoff"),
		messages: toMessages(value),
		data: outputs.map(({ json }, index) => [before[index]?.to ?? "", toText(json)]),
		isFinal: place.isTail === true && run.edgesOf(node.id, "then").length === 0,
		made: new Map(),
		isRepaired: false,
	};
	if (place.note) turns.messages.push({ role: "user", content: place.note });
	for (let turn = 1; ; turn += 1) {
		const value = takeTurn(run, turns, turn);
		if (value !== undefined) return value;
	}
}

/** The node's value, or nothing where there is another turn. */
function takeTurn(run: ReferenceState, turns: Turns, turn: number): Value | undefined {
	const { node, trace, edges, isFinal, isRepaired } = turns;
	const mayCall = edges.length > 0 && turn < (node.maxTurns ?? 8) && !isRepaired;
	const { text, toolCalls, finishReason } = askModel(run, turns, mayCall);
	if (text !== "") trace.log.push(["said", text, isFinal && node.output === undefined]);
	if (finishReason === "filtered") fail("content_filtered");
	if (toolCalls.length > 0 && mayCall) {
		const handed = findHandOver(run, turns, toolCalls);
		if (handed !== undefined) return handOver(run, turns, toolCalls, handed);
		makeCalls(run, turns, text, toolCalls);
		return undefined;
	}
	trace.isCut = finishReason === "length";
	for (const { name } of toolCalls) trace.log.push(["skipped", name]);
	if (text === "" && toolCalls.length > 0 && !isRepaired) fail("max_turns");
	const json = node.output === undefined ? text : readOutput(run, text);
	if (json !== undefined) return { json, texts: "all" };
	if (isRepaired) fail("output_invalid");
	turns.isRepaired = true;
	turns.messages.push({ role: "assistant", content: text }, { role: "user", content: "repair" });
	return undefined;
}

function askModel(run: ReferenceState, turns: Turns, mayCall: boolean): Omit<ChatReply, "usage"> {
	const { node, place, data, edges, messages } = turns;
	run.step();
	const seen: Seen = {
		node: node.id,
		depth: place.depth,
		system: node.instructions && run.fill(node.instructions),
		data,
		messages: [...messages],
		tools: edges.map(({ to }) => to),
		mayCall,
		wantsJson: node.output !== undefined,
	};
	run.seen.push(seen);
	run.receipt.push(node.id);
	const line = run.ports.reply(seen);
	if (line instanceof Error) return fail("model_failed");
	return {
		text: "",
		toolCalls: [],
		finishReason: "stop",
		...(typeof line === "string" ? { text: line } : line),
	};
}

/** The first hand-over of a turn that can be understood. */
const findHandOver = (run: ReferenceState, { edges }: Turns, calls: readonly ChatToolCall[]) =>
	calls.find(
		({ name, arguments: text }) =>
			edges.some(({ to, mode }) => to === name && mode === "handoff") &&
			readArguments(text, run.nodeOf(name)) !== undefined,
	);

/** The turn's other calls are not made; models get the node's input and the note, tools what the model said. */
function handOver(
	run: ReferenceState,
	{ value, place, trace, isFinal }: Turns,
	calls: readonly ChatToolCall[],
	handed: ChatToolCall,
): Value {
	for (const call of calls) if (call !== handed) trace.log.push(["skipped", call.name]);
	const target = run.nodeOf(handed.name);
	const given = readArguments(handed.arguments, target) ?? "";
	const common = { mode: "handoff", parent: trace, depth: place.depth, isTail: isFinal } as const;
	return target.kind === "tool"
		? run.invoke(target.id, { json: given, texts: "none" }, common)
		: run.invoke(target.id, value, { ...common, note: toText(given) });
}

function makeCalls(run: ReferenceState, turns: Turns, text: string, calls: readonly ChatToolCall[]): void {
	const { place, trace, messages } = turns;
	const inputs = calls.map((call) => admit(run, turns, call));
	run.isParallel ||= inputs.filter((one) => one !== undefined).length > 1;
	const said = calls.map(({ name, arguments: given }) => [name, given] as const);
	messages.push({ role: "assistant", content: text, calls: said });
	for (const [index, { name }] of calls.entries()) {
		const within: Place = { mode: "call", parent: trace, depth: place.depth + 1 };
		messages.push({ role: "tool", answers: name, ...answer(run, name, inputs[index], within) });
	}
}

/** What a callee is given, or nothing where it may not be called, or not like this. */
function admit(
	run: ReferenceState,
	{ edges, made, place, trace }: Turns,
	call: ChatToolCall,
): Value | undefined {
	const { name } = call;
	const edge = edges.find(({ to }) => to === name);
	const given = edge && readArguments(call.arguments, run.nodeOf(name));
	const count = made.get(name) ?? 0;
	const most = (edge && "maxCalls" in edge && edge.maxCalls) || Number.POSITIVE_INFINITY;
	const isMade = given !== undefined && count < most && place.depth < run.maxDepth;
	trace.log.push([isMade ? "called" : "skipped", name]);
	if (!isMade) return undefined;
	made.set(name, count + 1);
	return { json: given, texts: "none" };
}

/** A callee that fails is told to its caller's model. */
function answer(run: ReferenceState, name: string, given: Value | undefined, place: Place) {
	try {
		if (given === undefined) return { content: "", isError: true };
		return { content: toText(run.invoke(name, given, place).json) };
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
