import type { ChatReply, ChatToolCall, Json, JsonObject } from "@stemma/core";
import type { Callee } from "../graph/compiled-graph";
import { emitCalled, emitNodeEvent } from "../run/emit";
import type { RunState } from "../run/run-state";
import { createInvocation } from "./create-invocation";
import { startHandoff } from "./handoff";
import { addMessage, type Invocation } from "./invocation";
import { isToolCallee, parseArguments } from "./parse-arguments";

/**
 * Hands over, or makes the calls of one turn, all at once; those that cannot be made get an error result that the model
 * can act on.
 */
export function startCalls(run: RunState, invocation: Invocation, reply: ChatReply): void {
	const { text, toolCalls } = reply;
	const calls = assignDistinctIds(toolCalls);
	if (startHandoff(run, invocation, reply, calls)) return;
	addMessage(invocation, { role: "assistant", content: text, toolCalls: calls });
	invocation.toolCalls = calls;
	invocation.toolMessages = [];
	invocation.children = [];
	invocation.pendingChildren = calls.length;
	for (const [slot, call] of calls.entries()) startCall(run, invocation, call, slot);
}

/** Some models give calls of one turn the same id, or none; vendors refuse such a conversation. */
function assignDistinctIds(calls: readonly ChatToolCall[]): readonly ChatToolCall[] {
	const [first] = calls;
	if (calls.length === 1 && first?.id !== "") return calls;
	const ids = new Set(calls.map(({ id }) => id));
	if (ids.size === calls.length && !ids.has("")) return calls;
	return calls.map((call, index) => ({ ...call, id: `call_${index + 1}` }));
}

function startCall(run: RunState, caller: Invocation, call: ChatToolCall, slot: number): void {
	const callee = caller.node.callees.get(call.name);
	const args = callee === undefined ? undefined : parseArguments(call.arguments, callee);
	const skipReason = findSkipReason(run, caller, call, callee, args);
	if (skipReason !== undefined || callee === undefined || args === undefined)
		return skipCall(run, caller, slot, skipReason ?? "Not possible.");
	countCall(caller, call.name);
	emitCalled(run, caller, call, args);
	const child = createInvocation(run, {
		node: callee.node,
		mode: "call",
		parent: caller,
		slot,
		depth: caller.depth + 1,
		input: toInput(args, callee),
		isTail: false,
		scope: caller.scope,
	});
	caller.children[slot] = child;
	run.tasks.push({ type: "start", invocation: child });
}

/** Returns why a call is not made, in words for the model. */
function findSkipReason(
	run: RunState,
	caller: Invocation,
	call: ChatToolCall,
	callee: Callee | undefined,
	args: JsonObject | undefined,
): string | undefined {
	if (callee === undefined) {
		const available = caller.node.toolSet.tools.map(({ name }) => name).join(", ");
		return `There is nothing named "${call.name}" to call. Offered: ${available}.`;
	}
	if (args === undefined)
		return isToolCallee(callee)
			? "The arguments must be a JSON object."
			: 'The arguments must be JSON of the form {"input": "…"}.';
	if ((caller.callCounts?.get(call.name) ?? 0) >= callee.maxCalls)
		return `"${call.name}" has been called ${toTimes(callee.maxCalls)}, which is all that is allowed. Go on without it.`;
	if (caller.depth + 1 > run.limits.maxDepth)
		return `max_depth: calls may be nested ${run.limits.maxDepth} deep, and this one would be deeper. Go on without it.`;
	return undefined;
}

function toTimes(count: number): string {
	if (count === 1) return "once";
	return count === 2 ? "twice" : `${count} times`;
}

const toInput = (args: JsonObject, callee: Callee): Json =>
	isToolCallee(callee) ? args : (args.input ?? "");

function countCall(caller: Invocation, name: string): void {
	caller.callCounts ??= new Map();
	caller.callCounts.set(name, (caller.callCounts.get(name) ?? 0) + 1);
}

function skipCall(run: RunState, caller: Invocation, slot: number, reason: string): void {
	const { id, name } = caller.toolCalls[slot] ?? { id: "", name: "" };
	emitNodeEvent(run, caller, { type: "tool.skipped", callee: name, call_id: id, reason });
	recordCallResult(run, caller, slot, reason, true);
}

/** Notes the result of a call; the last one that comes back starts the next turn. */
export function recordCallResult(
	run: RunState,
	caller: Invocation,
	slot: number,
	content: string,
	isError: boolean,
): void {
	const { id, name } = caller.toolCalls[slot] ?? { id: "", name: "" };
	caller.toolMessages[slot] = isError
		? { role: "tool", callId: id, name, content, isError }
		: { role: "tool", callId: id, name, content };
	caller.pendingChildren -= 1;
	if (caller.pendingChildren > 0) return;
	for (const reply of caller.toolMessages) if (reply !== undefined) addMessage(caller, reply);
	run.tasks.push({ type: "turn", invocation: caller });
}
