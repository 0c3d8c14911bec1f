import { type GatheredData, toDataMessage } from "./data-message";
import { emitOf } from "./emit";
import { failRun } from "./end-run";
import { addMessage, createInvocation, type Invocation } from "./invocation";
import { takeStep } from "./limits";
import { startRemoteCall } from "./remote-call";
import { startRetrieval } from "./retrieval";
import { elapsed, openScope, type RunState } from "./run-state";
import { startToolCall } from "./tool-call";
import { toMessages, toModelText } from "./value";

/** Begins an invocation: a model node with its prefetches, a knowledge node with its retrieval, others with their call. */
export function startInvocation(run: RunState, invocation: Invocation): void {
	const limit = takeStep(run);
	if (limit !== undefined) return failRun(run, limit);
	const { node, mode, input } = invocation;
	invocation.startedAt = elapsed(run);
	invocation.steps += 1;
	run.open.add(invocation);
	emitOf(run, invocation, { type: "node.started", kind: node.definition.kind, mode, input });
	if (node.definition.kind === "knowledge") return startRetrieval(run, invocation, node.definition);
	if (node.definition.kind === "tool") return startToolCall(run, invocation, node.definition);
	if (node.definition.kind === "remote") return startRemoteCall(run, invocation);
	if (node.before.length === 0) return beginTurns(run, invocation);
	prefetch(run, invocation);
}

/** All `before` targets run at once, with the input of the node. */
function prefetch(run: RunState, invocation: Invocation): void {
	const { node, depth, input } = invocation;
	const scope = openScope(run, invocation, node.before.length);
	invocation.waiting = node.before.length;
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
		if (child !== undefined) run.tasks.push({ do: "start", invocation: child });
}

/** The conversation of a model node: what was prefetched, then its input. */
export function beginTurns(run: RunState, invocation: Invocation): void {
	const { node, results, input, handOver } = invocation;
	const gathered: GatheredData[] = node.before.map(({ id, definition }, slot) => ({
		node: id,
		kind: definition.kind,
		output: results[slot] ?? null,
	}));
	if (run.untrustedContext && (node.turns?.instructions?.paths.length ?? 0) > 0)
		gathered.unshift({ node: "context", kind: "context", output: run.context });
	if (handOver !== undefined)
		gathered.push({ node: handOver.from, kind: "handoff", output: handOver.history });
	if (gathered.length > 0) addMessage(invocation, toDataMessage(gathered, run.boundary));
	for (const message of toMessages(input, run.input)) addMessage(invocation, message);
	if (handOver !== undefined && handOver.note.trim() !== "")
		addMessage(invocation, { role: "user", content: toModelText(handOver.note) });
	invocation.opening = invocation.messages.length;
	run.tasks.push({ do: "turn", invocation });
}
