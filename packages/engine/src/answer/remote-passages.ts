import { toRetrievedPassage } from "../io/agent-outcome";
import type { RetrievedPassage } from "../io/ports";
import type { RunState } from "../run/run-state";

/**
 * The run-wide number of a passage that a remote agent cites. It is the number of a passage that the run knows only
 * where it is that passage, word for word: an agent of others may give its passages any id, and must not be able to put
 * its words into the place of what the run has retrieved.
 */
export function numberRemotePassage(run: RunState, node: string, passage: RetrievedPassage): number {
	const { passage_id, document_id, text } = passage;
	run.passageNumbers ??= new Map();
	const retrieved = run.passageNumbers.get(passage_id);
	if (retrieved !== undefined && isSame(passage, run.passages[retrieved - 1])) return retrieved;
	const key = JSON.stringify([node, passage_id, document_id, text]);
	const known = run.passageNumbers.get(key);
	if (known !== undefined) return known;
	run.passages.push(toRetrievedPassage(passage));
	run.passageNumbers.set(key, run.passages.length);
	return run.passages.length;
}

const isSame = (one: RetrievedPassage, other: RetrievedPassage | undefined): boolean =>
	one.document_id === other?.document_id && one.text === other.text;
