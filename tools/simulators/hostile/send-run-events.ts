import type { ServerResponse } from "node:http";
import { knownSeq } from "./be-honest.ts";
import type { EventStream } from "./behaviour.ts";
import type { HostileRun, LoggedEvent } from "./run-log.ts";
import type { SeenRequest } from "./seen-request.ts";
import { toEventText, writeEvents } from "./write-events.ts";

/** Sends a stream of events, true or not. */
export function sendRunEvents(
	response: ServerResponse,
	request: SeenRequest,
	run: HostileRun | undefined,
	behaviour: EventStream,
): Promise<void> {
	const { text, data } = behaviour;
	if (text !== undefined) return writeEvents(response, text, behaviour);
	if (data !== undefined) return writeEvents(response, data.map(toEventText).join(""), behaviour);
	const events = run === undefined ? [] : chooseEvents(run.events, knownSeq(request), behaviour);
	if (run !== undefined) run.sentSeq = Math.max(run.sentSeq, ...events.map(({ seq }) => seq));
	return writeEvents(response, events.map(toEventText).join(""), behaviour);
}

function chooseEvents(
	events: readonly LoggedEvent[],
	known: number,
	{ seqs, replay = 0, most = events.length }: EventStream,
): readonly LoggedEvent[] {
	if (seqs === undefined) return events.slice(Math.max(0, known - replay), known + most);
	return seqs.flatMap((seq) => events.find((event) => event.seq === seq) ?? []);
}
