import { DEFAULT_TOP_K, type Json, type KnowledgeNode, type RunError } from "@stemma/core";
import { fail, type Invocation } from "./invocation";
import type { Retrieval, RetrievalRequest, RetrievedPassage } from "./ports";
import type { RetrievalEntry, RunState } from "./run-state";
import { toQuery } from "./value";

/** Asks for passages, or joins the invocation that asked the same before: a node reads a query once in a run. */
export function startRetrieval(run: RunState, invocation: Invocation, node: KnowledgeNode): void {
	const query = toQuery(invocation.input)?.trim();
	if (query === undefined || query === "") return fail(run, invocation, noQuery(node.id));
	const key = `${node.id}\n${query}`;
	const known = run.retrievals.get(key);
	const entry: RetrievalEntry = known ?? { query, waiting: [], passages: undefined, error: undefined };
	invocation.retrieval = entry;
	entry.waiting.push(invocation);
	if (known === undefined) {
		run.retrievals.set(key, entry);
		run.commands.push({ type: "retrieve", entry, request: toRequest(run, node, query) });
	} else if (isReady(entry)) deliver(run, entry);
}

const noQuery = (node: string): RunError => ({
	code: "no_query",
	message: `"${node}" was given nothing to look for.`,
	hint: "A knowledge node takes text, an object with a `query`, or messages.",
});

function toRequest(run: RunState, node: KnowledgeNode, query: string): RetrievalRequest {
	return {
		runId: run.runId,
		node: node.id,
		query,
		knowledgeBases: node.knowledgeBases,
		topK: node.topK ?? DEFAULT_TOP_K,
		...(node.minScore === undefined ? {} : { minScore: node.minScore }),
	};
}

const isReady = (entry: RetrievalEntry): boolean => entry.passages !== undefined || entry.error !== undefined;

export function onPassages(
	run: RunState,
	entry: RetrievalEntry,
	{ passages, receipt = [] }: Retrieval,
): void {
	entry.passages = passages;
	run.receipt.push(...receipt);
	for (const { input_tokens, output_tokens } of receipt) {
		run.inputTokens += input_tokens;
		run.outputTokens += output_tokens;
	}
	deliver(run, entry);
}

export function onRetrievalFailed(run: RunState, entry: RetrievalEntry, error: RunError): void {
	entry.error = error;
	deliver(run, entry);
}

function deliver(run: RunState, entry: RetrievalEntry): void {
	for (const invocation of entry.waiting.splice(0)) settleSiblings(run, invocation);
}

/**
 * Passages are numbered in the order of edges and calls, whichever retrieval is back first: so one that is back waits
 * for its earlier siblings.
 */
function settleSiblings(run: RunState, invocation: Invocation): void {
	for (const sibling of invocation.parent?.children ?? []) {
		if (sibling === undefined || sibling.closed || sibling.node.definition.kind !== "knowledge") continue;
		const entry = sibling.retrieval;
		if (entry === undefined || !isReady(entry)) return;
		settle(run, sibling, entry);
	}
}

function settle(run: RunState, invocation: Invocation, entry: RetrievalEntry): void {
	if (invocation.answered) return;
	invocation.answered = true;
	if (entry.error !== undefined) return fail(run, invocation, entry.error);
	invocation.value = toOutput(run, entry);
	run.tasks.push({ do: "continue", invocation });
}

function toOutput(run: RunState, { query, passages = [] }: RetrievalEntry): Json {
	return {
		query,
		passages: passages.map((passage) => ({
			n: numberOf(run, passage),
			text: passage.text,
			document: passage.title,
			place: { ...passage.place },
		})),
	};
}

/** A passage has one number in a run, however often it is found. */
function numberOf(run: RunState, passage: RetrievedPassage): number {
	const known = run.passageNumbers.get(passage.passage_id);
	if (known !== undefined) return known;
	run.passages.push(passage);
	run.passageNumbers.set(passage.passage_id, run.passages.length);
	return run.passages.length;
}
