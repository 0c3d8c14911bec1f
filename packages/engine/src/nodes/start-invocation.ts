import { emitStarted } from "../run/emit";
import { failRun } from "../run/end-run";
import { consumeStep } from "../run/limits";
import { elapsed, openScope, type RunState } from "../run/run-state";
import { toMessages, toModelText } from "./convert-value";
import { createInvocation } from "./create-invocation";
import { type DataBlock, toDataMessage, toDataText } from "./data-message";
import { addMessage, type Invocation } from "./invocation";
import { startRetrieval } from "./knowledge-node";
import { startRemoteCall } from "./remote-node";
import { startToolCall } from "./tool-node";

/** Begins an invocation: a model node with its prefetches, a knowledge node with its retrieval, others with their call. */
export function startInvocation(run: RunState, invocation: Invocation): void {
	const limit = consumeStep(run);
	if (limit !== undefined) return failRun(run, limit);
	const { node } = invocation;
	invocation.startedAt = elapsed(run);
	invocation.steps += 1;
	run.openInvocations.add(invocation);
	emitStarted(run, invocation);
	if (node.definition.kind === "knowledge") return startRetrieval(run, invocation, node.definition);
	if (node.definition.kind === "tool") return startToolCall(run, invocation, node.definition);
	if (node.definition.kind === "remote") return startRemoteCall(run, invocation);
	if (node.before.length === 0) return startTurns(run, invocation);
	prefetch(run, invocation);
}

/** All `before` targets run at once, with the input of the node. */
function prefetch(run: RunState, invocation: Invocation): void {
	const { node, depth, input } = invocation;
	const scope = openScope(run, invocation, node.before.length);
	invocation.pendingChildren = node.before.length;
	invocation.results = [];
	invocation.children = node.before.map((target, slot) =>
		createInvocation(run, {
			node: target,
			mode: "before",
			parent: invocation,
			slot,
			depth,
			input,
			isTail: false,
			scope,
		}),
	);
	for (const child of invocation.children)
		if (child !== undefined) run.tasks.push({ type: "start", invocation: child });
}

/** The conversation of a model node: what was prefetched, then its input. */
export function startTurns(run: RunState, invocation: Invocation): void {
	const { node, results, input, handoff } = invocation;
	const dataBlocks: DataBlock[] = node.before.map(({ id, definition }, slot) => ({
		node: id,
		kind: definition.kind,
		text: toDataText(results[slot] ?? null),
	}));
	if (run.untrustedContext && node.modelSettings?.template !== undefined)
		dataBlocks.unshift({ node: "context", kind: "context", text: toDataText(run.context) });
	if (handoff !== undefined)
		dataBlocks.push({ node: handoff.from, kind: "handoff", text: `[${handoff.history.text}]` });
	if (dataBlocks.length > 0) addMessage(invocation, toDataMessage(dataBlocks, run.boundary));
	for (const message of toMessages(input, run.input)) addMessage(invocation, message);
	if (handoff !== undefined && handoff.note.trim() !== "")
		addMessage(invocation, { role: "user", content: toModelText(handoff.note) });
	invocation.initialMessageCount = invocation.messages.length;
	run.tasks.push({ type: "turn", invocation });
}
