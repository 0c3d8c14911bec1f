import type { FeedbackPassage, WireRunEvent } from "@stemma/client";
import type { Json, Place } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { type EventRecord, parseEvent, type RunStore } from "@stemma/runs";
import { MAX_RATED_PASSAGES } from "./rated-content";

const EVENTS_PER_READ = 500;

/** Reads which passages the knowledge nodes of a run have found, each once, in the order in which they were found. */
export async function readFoundPassages(
	store: Pick<RunStore, "readEvents">,
	runId: string,
): Promise<readonly FeedbackPassage[]> {
	const found = new FoundPassages();
	for (let after = 0; ; ) {
		const events = await store.readEvents(runId, after, EVENTS_PER_READ);
		for (const event of events) found.add(event);
		after = events.at(-1)?.seq ?? after;
		if (events.length < EVENTS_PER_READ) return found.list();
	}
}

/** Passages of the events of one run. */
export class FoundPassages {
	readonly #knowledgeInvocations = new Set<number>();
	readonly #passages = new Map<string, FeedbackPassage>();

	add(record: EventRecord): void {
		// Most events are text, and are not parsed.
		if (record.type !== "node.started" && record.type !== "node.completed") return;
		const event: WireRunEvent = parseEvent(record);
		if (event.type === "node.started" && event.kind === "knowledge")
			this.#knowledgeInvocations.add(event.invocation);
		if (event.type === "node.completed" && this.#knowledgeInvocations.has(event.invocation))
			for (const passage of readPassages(event.output)) this.#passages.set(toKey(passage), passage);
	}

	list(): readonly FeedbackPassage[] {
		return [...this.#passages.values()].slice(0, MAX_RATED_PASSAGES);
	}
}

const toKey = ({ title, text, place }: FeedbackPassage): string => JSON.stringify([title, text, place.start]);

/** Passages in the output of a knowledge node. */
function readPassages(output: Json): readonly FeedbackPassage[] {
	if (!isJsonObject(output) || !Array.isArray(output.passages)) return [];
	return output.passages.flatMap((passage) => {
		if (!isJsonObject(passage)) return [];
		const { document: title, text, place } = passage;
		if (typeof title !== "string" || typeof text !== "string" || !isPlace(place)) return [];
		return [{ title, text, place }];
	});
}

const isPlace = (place: unknown): place is Place =>
	isJsonObject(place) && typeof place.start === "number" && typeof place.end === "number";
