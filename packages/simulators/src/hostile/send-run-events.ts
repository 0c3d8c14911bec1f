import type { ServerResponse } from "node:http";
import type { EventStream } from "./behaviour.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { knownSeq } from "./respond-normally.ts";
import type { HostileRun, LoggedEvent } from "./run-log.ts";
import { toEventText, writeEvents } from "./write-events.ts";

/** Sends a stream of events, true or not. */
export function sendRunEvents(
	response: ServerResponse,
	request: ReceivedRequest,
	run: HostileRun | undefined,
	behaviour: EventStream,
): Promise<void> {
	const { text, data } = behaviour;
	if (text !== undefined) return writeEvents(response, text, behaviour);
	if (data !== undefined) return writeEvents(response, data.map(toEventText).join(""), behaviour);
	const events = run === undefined ? [] : selectEvents(run.events, knownSeq(request), behaviour);
	if (run !== undefined) run.sentSeq = Math.max(run.sentSeq, ...events.map(({ seq }) => seq));
	return writeEvents(response, events.map(toEventText).join(""), behaviour);
}

function selectEvents(
	events: readonly LoggedEvent[],
	lastSeq: number,
	{ seqs, replay = 0, maxEvents = events.length }: EventStream,
): readonly LoggedEvent[] {
	if (seqs === undefined) return events.slice(Math.max(0, lastSeq - replay), lastSeq + maxEvents);
	return seqs.flatMap((seq) => events.find((event) => event.seq === seq) ?? []);
}
