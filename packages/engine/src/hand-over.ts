import type { ChatMessage, ChatReply, ChatToolCall, Json, JsonObject } from "@stemma/core";
import type { Callee } from "./compiled-graph";
import { emitOf } from "./emit";
import { createInvocation, type Invocation } from "./invocation";
import { readArguments } from "./read-arguments";
import type { RunState } from "./run-state";
import { readConversation, toAsked, toText } from "./value";

/** What a model node is handed over to with, beside the input of the node before it. */
export interface HandOver {
	/** The node that handed over. */
	readonly from: string;
	/** What the nodes before it said, called and were told. */
	readonly history: readonly JsonObject[];
	readonly note: string;
}

interface Chosen {
	readonly slot: number;
	readonly callee: Callee;
	readonly said: JsonObject;
}

/** The first hand-over among the calls of a turn that can be made. */
function findHandOver({ node }: Invocation, calls: readonly ChatToolCall[]): Chosen | undefined {
	if (!node.handsOver) return undefined;
	for (const [slot, call] of calls.entries()) {
		const callee = node.callees.get(call.name);
		const said = callee?.isHandOver === true ? readArguments(call.arguments, callee) : undefined;
		if (callee !== undefined && said !== undefined) return { slot, callee, said };
	}
	return undefined;
}

/**
 * Hands over where the model asks for it: the value of the target becomes the node's, and the turn's other calls are not
 * made.
 *
 * @returns whether it did.
 */
export function startHandOver(
	run: RunState,
	invocation: Invocation,
	reply: ChatReply,
	calls: readonly ChatToolCall[],
): boolean {
	const chosen = findHandOver(invocation, calls);
	if (chosen === undefined) return false;
	announce(run, invocation, calls, chosen);
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
		handOver: node.turns === undefined ? undefined : toHandOver(invocation, reply, calls, chosen),
	});
	invocation.children = [target];
	invocation.waiting = 1;
	run.tasks.push({ do: "start", invocation: target });
	return true;
}

function announce(
	run: RunState,
	invocation: Invocation,
	calls: readonly ChatToolCall[],
	{ slot, callee, said }: Chosen,
): void {
	const reason = `Not made: "${invocation.node.id}" handed over to "${callee.node.id}".`;
	for (const [index, { id, name }] of calls.entries())
		if (index === slot)
			emitOf(run, invocation, { type: "tool.called", callee: name, call_id: id, arguments: said });
		else emitOf(run, invocation, { type: "tool.skipped", callee: name, call_id: id, reason });
}

/** Models get the input of the node before them, tools what the model said, and others the note as well. */
function toInput(run: RunState, { input }: Invocation, { callee, said }: Chosen): Json {
	const { definition } = callee.node;
	if (definition.kind === "tool") return said;
	const note = readNote(said);
	if (note.trim() === "" || callee.node.turns !== undefined) return input;
	if (definition.kind === "knowledge") return note;
	const conversation = definition.kind === "remote" && definition.agentId !== undefined;
	const messages = conversation ? readConversation(input, run.input) : undefined;
	if (messages !== undefined) return { messages: [...messages, { role: "user", content: note }] };
	return `${toText(toAsked(input, run.input))}\n\n${note}`;
}

const readNote = ({ input }: JsonObject): string => (typeof input === "string" ? input : "");

function toHandOver(
	{ node, messages, opening, handOver }: Invocation,
	{ text }: ChatReply,
	calls: readonly ChatToolCall[],
	{ slot, said }: Chosen,
): HandOver {
	const last: ChatMessage = { role: "assistant", content: text, toolCalls: calls.slice(slot, slot + 1) };
	const own = [...messages.slice(opening), last].map((message) => toEntry(node.id, message));
	return { from: node.id, history: [...(handOver?.history ?? []), ...own], note: readNote(said) };
}

/** A message of another node's conversation, as data. */
function toEntry(node: string, message: ChatMessage): JsonObject {
	if (message.role === "user") return { node, asked: message.content };
	if (message.role === "tool")
		return { node, told: message.content, by: message.name, ...(message.isError ? { error: true } : {}) };
	const called = (message.toolCalls ?? []).map(({ name, arguments: json }) => ({ name, arguments: json }));
	return {
		node,
		...(message.content === "" ? {} : { said: message.content }),
		...(called.length === 0 ? {} : { called }),
	};
}
