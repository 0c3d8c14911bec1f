import type { Json, KnowledgeNode, ReceiptRow, RunError } from "@stemma/core";
import type { Retrieval, RetrievedPassage } from "../io/ports";
import type { RetrieveCommand } from "../run/command";
import { addRows } from "../run/receipt";
import type { RunState } from "../run/run-state";
import { toQuery } from "./convert-value";
import { fail } from "./create-invocation";
import type { Invocation, RetrievalEntry } from "./invocation";

/** Asks for passages, or joins the invocation that asked the same before: a node reads a query once in a run. */
export function startRetrieval(run: RunState, invocation: Invocation, node: KnowledgeNode): void {
	const query = toQuery(invocation.input, run.input)?.trim();
	if (query === undefined || query === "") return fail(run, invocation, noQuery(node.id));
	const key = `${node.id}\n${query}`;
	const known = run.retrievals?.get(key);
	const entry: RetrievalEntry = known ?? {
		key,
		node,
		query,
		waiters: [],
		passages: undefined,
		error: undefined,
	};
	invocation.retrieval = entry;
	entry.waiters.push(invocation);
	if (known === undefined) {
		run.retrievals ??= new Map();
		run.retrievals.set(key, entry);
		enqueueRetrieval(run, entry);
	} else if (hasResult(entry)) deliver(run, entry);
}

export function enqueueRetrieval(run: RunState, entry: RetrievalEntry): void {
	const command: RetrieveCommand = { type: "retrieve", entry };
	run.pendingRetrievals.add(command);
	run.commands.push(command);
}

const noQuery = (node: string): RunError => ({
	code: "no_query",
	message: `"${node}" was given nothing to look for.`,
	hint: "A knowledge node takes text, an object with a `query`, or messages.",
});

const hasResult = (entry: RetrievalEntry): boolean =>
	entry.passages !== undefined || entry.error !== undefined;

export function onPassages(run: RunState, command: RetrieveCommand, retrieval: Retrieval): void {
	const { passages, receipt = [] } = retrieval;
	run.pendingRetrievals.delete(command);
	command.entry.passages = passages;
	addRows(run, receipt);
	deliver(run, command.entry);
}

interface RetrievalFailure {
	readonly error: RunError;
	/** Rows of the calls that were made before the failure. */
	readonly receipt?: readonly ReceiptRow[] | undefined;
}

/** A failure is not kept: whoever asks again may be luckier. */
export function onRetrievalFailed(
	run: RunState,
	command: RetrieveCommand,
	{ error, receipt = [] }: RetrievalFailure,
): void {
	addRows(run, receipt);
	run.pendingRetrievals.delete(command);
	run.retrievals?.delete(command.entry.key);
	command.entry.error = error;
	deliver(run, command.entry);
}

function deliver(run: RunState, entry: RetrievalEntry): void {
	for (const invocation of entry.waiters.splice(0)) deliverInOrder(run, invocation);
}

/**
 * Passages are numbered in the order of edges and calls, whichever retrieval is back first: so one that is back waits
 * for its earlier siblings. A failure has no number to wait for.
 */
function deliverInOrder(run: RunState, invocation: Invocation): void {
	let isBlocked = false;
	for (const sibling of invocation.parent?.children ?? []) {
		if (sibling === undefined || !isRetrieving(sibling)) continue;
		const entry = sibling.retrieval;
		if (entry?.error !== undefined) failRetrieval(run, sibling, entry.error);
		else if (entry?.passages === undefined) isBlocked = true;
		else if (!isBlocked) completeRetrieval(run, sibling, entry);
	}
}

const isRetrieving = ({ node, closed, error, isRetrieved }: Invocation): boolean =>
	node.definition.kind === "knowledge" && !closed && !isRetrieved && error === undefined;

function failRetrieval(run: RunState, invocation: Invocation, error: RunError): void {
	invocation.isRetrieved = true;
	fail(run, invocation, error);
}

function completeRetrieval(run: RunState, invocation: Invocation, entry: RetrievalEntry): void {
	invocation.isRetrieved = true;
	invocation.value = toOutput(run, entry);
	invocation.verbatim = true;
	run.tasks.push({ type: "continue", invocation });
}

function toOutput(run: RunState, { query, passages = [] }: RetrievalEntry): Json {
	return {
		query,
		passages: passages.map((passage) => ({
			n: numberPassage(run, passage),
			text: passage.text,
			document: passage.title,
			place: { ...passage.place },
		})),
	};
}

/** A passage has one number in a run, however often it is found. */
function numberPassage(run: RunState, passage: RetrievedPassage): number {
	run.passageNumbers ??= new Map();
	const known = run.passageNumbers.get(passage.passage_id);
	if (known !== undefined) return known;
	run.passages.push(passage);
	run.passageNumbers.set(passage.passage_id, run.passages.length);
	return run.passages.length;
}
