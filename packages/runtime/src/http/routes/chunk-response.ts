import { type EventEncoder, formatChunk } from "@stemma/client/ai-sdk";
import { parseEvent } from "@stemma/runs";
import type { HttpResponse, RunEvents } from "../http-exchange";
import { getEvents } from "./run-routes";

/** Protocol in which runs are streamed as chunks. */
export interface ChunkProtocol<Chunk> {
	readonly headers: Readonly<Record<string, string>>;
	/** Text behind the last chunk. */
	readonly end: string;
	toErrorChunk(message: string): Chunk;
}

/**
 * Responds with the events of a run in another protocol, to its end or its next pause.
 *
 * @param events - `after` is the pause that the client has seen.
 * @throws HttpError 410 `events_expired`.
 */
export function respondWithChunks<Chunk extends object>(
	{ run, active, after }: RunEvents,
	{ headers, end, toErrorChunk }: ChunkProtocol<Chunk>,
	encode: EventEncoder<Chunk>,
): HttpResponse {
	// Later chunks depend on all events before them.
	getEvents(run, 0);
	const format = {
		formatEvent: (record: Parameters<typeof parseEvent>[0]) =>
			encode(parseEvent(record)).map(formatChunk).join(""),
		interruption: formatChunk(toErrorChunk("The stream was interrupted.")),
		end,
		resumedFrom: after,
	};
	return { status: 200, headers, body: { run, active, after: 0, format } };
}
