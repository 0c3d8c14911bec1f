import { ConfigurationError, type Json, type JsonObject } from "@stemma/core";
import { fingerprint } from "../graph/fingerprint";
import { listEntries } from "../nodes/history";
import type { Handoff, Invocation, RetrievalEntry } from "../nodes/invocation";
import type { CallCommand } from "../run/command";
import { elapsed, type OpenApproval, type RunState } from "../run/run-state";
import { createValueWriter, type ValueWriter } from "./saved-values";
import type { SerializedRun } from "./serialized-run";

/**
 * A run as JSON, with all that `decodeRun` cannot know from the graph.
 *
 * @param graph - the fingerprint of its graph.
 * @throws ConfigurationError `run_ended`
 */
export function encodeRun(run: RunState, graph: string, now: number): SerializedRun {
	assertSavable(run);
	const values = createValueWriter();
	const written = {
		graph,
		...encodeOrigin(run, values, now),
		...encodeCounters(run),
		open: [...run.openInvocations].map((invocation) => encodeInvocation(invocation, values)),
		retrievals: [...(run.retrievals?.values() ?? [])].flatMap((entry) => encodeRetrieval(run, entry, values)),
		...encodeCalls(run, values),
		approvals: run.approvals.map((approval) => encodeApproval(approval, values)),
		decisions: run.decisions,
		passages: run.passages.map((passage) => values.write(passage)),
		passage_numbers: [...(run.passageNumbers ?? [])],
		receipt: Array.from(run.receipt, (row) => row ?? null),
		answer: run.answer,
		events: run.events.slice(run.deliveredEvents),
		values: values.table,
	};
	// A copy: the run goes on. It drops what is `undefined`.
	const state: JsonObject = JSON.parse(JSON.stringify(written));
	const run_id = run.runId;
	return { version: 1, run_id, state: { ...state, checksum: fingerprint({ run_id, state }) } };
}

function assertSavable({ result, deliveredEvents, events }: RunState): void {
	// Nobody has heard of the end yet.
	const isEnding = deliveredEvents < events.length;
	if (result !== undefined && result.status !== "paused" && !isEnding)
		throw new ConfigurationError("The run has ended and cannot be continued.", {
			code: "run_ended",
			hint: "Keep its result instead.",
		});
}

const encodeOrigin = (run: RunState, values: ValueWriter, now: number) => ({
	input: values.write(run.input),
	context: values.write(run.context),
	untrusted_context: run.untrustedContext,
	boundary: run.boundary,
	// A run that has paused takes no time.
	saved_at: now,
	ran_ms: run.result === undefined ? run.previousRunMs + Math.max(0, now - run.runningSince) : elapsed(run),
});

const encodeCounters = (run: RunState) => ({
	seq: run.seq,
	invocations: run.invocations,
	scopes: run.scopes,
	steps: run.steps,
	input_tokens: run.inputTokens,
	output_tokens: run.outputTokens,
});

/** Encodes an open invocation. Between two steps it has neither failed nor ended. */
function encodeInvocation(invocation: Invocation, values: ValueWriter) {
	const { parent, callCounts, handoff } = invocation;
	return {
		id: invocation.id,
		node: invocation.node.id,
		mode: invocation.mode,
		parent: parent?.id ?? null,
		slot: invocation.slot,
		depth: invocation.depth,
		input: values.write(invocation.input),
		is_tail: invocation.isTail,
		scope: invocation.scope,
		hand_over: handoff === undefined ? null : values.write(toSavedHandoff(handoff)),
		started_at: invocation.startedAt,
		children: Array.from(invocation.children, (child) => toOpenId(child)),
		waiting: invocation.pendingChildren,
		results: Array.from(invocation.results, (result) => values.write(result)),
		messages: invocation.messages.map((message) => values.write(message)),
		opening: invocation.initialMessageCount,
		characters: invocation.characters,
		turns: invocation.turns,
		repaired: invocation.repaired,
		calls: values.write(invocation.toolCalls),
		replies: Array.from(invocation.toolMessages, (reply) => values.write(reply)),
		call_counts: callCounts === undefined ? null : [...callCounts],
		query: invocation.retrieval?.query ?? null,
		answered: invocation.isRetrieved,
		value: values.write(invocation.value),
		quotes: values.write(invocation.verbatim),
		truncated: invocation.truncated,
		input_tokens: invocation.inputTokens,
		output_tokens: invocation.outputTokens,
		model_calls: invocation.modelCalls,
		steps: invocation.steps,
	};
}

const toSavedHandoff = ({ from, history, note }: Handoff): Json => ({
	from,
	history: listEntries(history),
	note,
});

const toOpenId = (child: Invocation | undefined): number | null =>
	child === undefined || child.closed ? null : child.id;

/** One in flight that nobody waits for is asked anew when somebody does. */
function encodeRetrieval(run: RunState, entry: RetrievalEntry, values: ValueWriter) {
	const { node, query, passages } = entry;
	const waiting = entry.waiters.filter(({ closed }) => !closed).map(({ id }) => id);
	const isInFlight = [...run.pendingRetrievals].some((command) => command.entry === entry);
	if (isInFlight && waiting.length === 0) return [];
	const found = passages?.map((passage) => values.write(passage)) ?? null;
	return [{ node: node.id, query, waiting, is_out: isInFlight, passages: found }];
}

/** Encodes the calls in the order in which they were or will be started. */
function encodeCalls({ pendingCalls, commands, queuedCalls }: RunState, values: ValueWriter) {
	const queued = [...commands.filter(isCall), ...queuedCalls];
	const inFlight = [...pendingCalls].filter(
		(command) => !queued.includes(command) && !command.invocation.closed,
	);
	const encode = (command: CallCommand) => encodeCall(command, values);
	return { out: inFlight.map(encode), planned: queued.map(encode) };
}

const isCall = (command: RunState["commands"][number]): command is CallCommand =>
	command.type === "model" || command.type === "tool" || command.type === "remote";

function encodeCall(command: CallCommand, values: ValueWriter) {
	const { type, invocation } = command;
	if (type === "remote") return { type, invocation: invocation.id };
	if (type === "tool") return { type, invocation: invocation.id, arguments: values.write(command.arguments) };
	const { isInFlight: _, ...fields } = command;
	return { ...fields, invocation: invocation.id, maxOutputTokens: command.maxOutputTokens ?? null };
}

const encodeApproval = ({ command, expiresAt }: OpenApproval, values: ValueWriter) => ({
	call: encodeCall(command, values),
	expires_at: expiresAt,
});
