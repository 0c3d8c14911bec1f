import { type EventEncoder, formatChunk } from "@stemma/client/ai-sdk";
import { parseEvent } from "@stemma/runs";
import { eventStream } from "../../http/event-stream";
import type { ServiceContext } from "../../http/service-context";
import type { StoredRun } from "../../runs/stored-run";
import { toVisibleEvents } from "./run-responses";

/** Protocol in which runs are streamed as chunks. */
export interface ChunkProtocol<Chunk> {
	readonly headers: Readonly<Record<string, string>>;
	/** Text behind the last chunk. */
	readonly end: string;
	toErrorChunk(message: string): Chunk;
}

const bytes = new TextEncoder();

/** The events of a run that its caller sees, in another protocol; ends with the run, or when it pauses. */
export function respondWithChunks<Chunk extends object>(
	context: ServiceContext,
	{ id }: StoredRun,
	{ headers, end, toErrorChunk }: ChunkProtocol<Chunk>,
	encode: EventEncoder<Chunk>,
): Response {
	const { runs } = context.get("workspace");
	return eventStream(
		context,
		async (send, signal) => {
			for await (const records of runs.watch(id, 0, signal)) {
				const chunks = toVisibleEvents(context, records).flatMap((record) => encode(parseEvent(record)));
				if (chunks.length > 0) await send(bytes.encode(chunks.map(formatChunk).join("")));
			}
			const last = signal.aborted ? formatChunk(toErrorChunk("The service is stopping. Try again.")) : "";
			await send(bytes.encode(last + end));
		},
		headers,
	);
}
