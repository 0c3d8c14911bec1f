import type { ChatMessage, ChatReply, ChatToolCall, Json, JsonObject } from "@stemma/core";
import type { Callee } from "../graph/compiled-graph";
import { emitCalled, emitNodeEvent } from "../run/emit";
import type { RunState } from "../run/run-state";
import { readConversation, toLastUserMessage, toText } from "./convert-value";
import { createInvocation } from "./create-invocation";
import { extendHistory, toHistoryEntry } from "./history";
import type { Handoff, Invocation } from "./invocation";
import { parseArguments } from "./parse-arguments";

interface ChosenHandoff {
	readonly slot: number;
	readonly callee: Callee;
	readonly args: JsonObject;
}

/** The first handoff among the calls of a turn that can be made. */
function findHandoff({ node }: Invocation, calls: readonly ChatToolCall[]): ChosenHandoff | undefined {
	if (!node.hasHandoffs) return undefined;
	for (const [slot, call] of calls.entries()) {
		const callee = node.callees.get(call.name);
		const args = callee?.isHandoff === true ? parseArguments(call.arguments, callee) : undefined;
		if (callee !== undefined && args !== undefined) return { slot, callee, args };
	}
	return undefined;
}

/**
 * Starts a handoff if the model asks for one: the value of the target becomes the node's, and the turn's other calls are
 * not made.
 *
 * @returns whether it started one.
 */
export function startHandoff(
	run: RunState,
	invocation: Invocation,
	reply: ChatReply,
	calls: readonly ChatToolCall[],
): boolean {
	const chosen = findHandoff(invocation, calls);
	if (chosen === undefined) return false;
	emitHandoffEvents(run, invocation, calls, chosen);
	const { node } = chosen.callee;
	const target = createInvocation(run, {
		node,
		mode: "handoff",
		parent: invocation,
		slot: 0,
		depth: invocation.depth,
		input: toInput(run, invocation, chosen),
		isTail: invocation.isTail && invocation.node.continuations.length === 0,
		scope: invocation.scope,
		handoff: node.modelSettings === undefined ? undefined : toHandoff(invocation, reply, calls, chosen),
	});
	invocation.children = [target];
	invocation.pendingChildren = 1;
	run.tasks.push({ type: "start", invocation: target });
	return true;
}

function emitHandoffEvents(
	run: RunState,
	invocation: Invocation,
	calls: readonly ChatToolCall[],
	{ slot, callee, args }: ChosenHandoff,
): void {
	const reason = `Not made: "${invocation.node.id}" handed over to "${callee.node.id}".`;
	for (const [index, call] of calls.entries())
		if (index === slot) emitCalled(run, invocation, call, args);
		else
			emitNodeEvent(run, invocation, { type: "tool.skipped", callee: call.name, call_id: call.id, reason });
}

/** Models get the input of the node before them, tools what the model said, and others the note as well. */
function toInput(run: RunState, { input }: Invocation, { callee, args }: ChosenHandoff): Json {
	const { definition } = callee.node;
	if (definition.kind === "tool") return args;
	const note = readNote(args);
	if (note.trim() === "" || callee.node.modelSettings !== undefined) return input;
	if (definition.kind === "knowledge") return note;
	const conversation = definition.kind === "remote" && definition.agentId !== undefined;
	const messages = conversation ? readConversation(input, run.input) : undefined;
	if (messages !== undefined) return { messages: [...messages, { role: "user", content: note }] };
	return `${toText(toLastUserMessage(input, run.input))}\n\n${note}`;
}

const readNote = ({ input }: JsonObject): string => (typeof input === "string" ? input : "");

function toHandoff(
	{ node, messages, initialMessageCount, handoff }: Invocation,
	{ text }: ChatReply,
	calls: readonly ChatToolCall[],
	{ slot, args }: ChosenHandoff,
): Handoff {
	const last: ChatMessage = { role: "assistant", content: text, toolCalls: calls.slice(slot, slot + 1) };
	const own = [...messages.slice(initialMessageCount), last].map((message) =>
		toHistoryEntry(node.id, message),
	);
	return { from: node.id, history: extendHistory(handoff?.history, own), note: readNote(args) };
}
