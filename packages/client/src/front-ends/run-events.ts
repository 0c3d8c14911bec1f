import type { RunEvent } from "@stemma/core";
import type { WireRunEvent } from "../types/run";

/** Event of a run, of the engine in this process or from the wire. */
export type FrontEndEvent = RunEvent | WireRunEvent;

/** Function that converts the events of one run, from its first one on and in order, to chunks of a protocol. */
export type EventEncoder<Chunk> = (event: FrontEndEvent) => readonly Chunk[];

/** Options that all protocols have. */
export interface EncoderOptions {
	/**
	 * Sequence number of the last event whose chunks the reader has. All events are read, but those up to it are not
	 * sent. Default 0.
	 */
	readonly after?: number | undefined;
}

/** Leaves out the chunks of events that the reader has: they are read all the same, as later ones depend on them. */
export const skipUntil = <Chunk>(encode: EventEncoder<Chunk>, after = 0): EventEncoder<Chunk> =>
	after === 0
		? encode
		: (event) => {
				const chunks = encode(event);
				return event.seq > after ? chunks : [];
			};

/**
 * Stream of the chunks of a run. Events are read as fast as the stream is; cancelling it stops reading, and the run goes
 * on.
 *
 * @param toErrorChunks - converts an error with which reading the events failed.
 */
export function streamChunks<Chunk>(
	events: AsyncIterable<FrontEndEvent>,
	encode: EventEncoder<Chunk>,
	toErrorChunks: (error: unknown) => readonly Chunk[],
): ReadableStream<Chunk> {
	const iterator = events[Symbol.asyncIterator]();
	return new ReadableStream<Chunk>({
		async pull(controller) {
			const next = async (): Promise<readonly Chunk[] | undefined> => {
				for (;;) {
					const { done, value } = await iterator.next();
					if (done === true) return undefined;
					const chunks = encode(value);
					if (chunks.length > 0) return chunks;
				}
			};
			let chunks: readonly Chunk[] | undefined;
			let hasFailed = false;
			try {
				chunks = await next();
			} catch (error) {
				hasFailed = true;
				chunks = toErrorChunks(error);
			}
			for (const chunk of chunks ?? []) controller.enqueue(chunk);
			if (hasFailed || chunks === undefined) controller.close();
		},
		async cancel() {
			await iterator.return?.();
		},
	});
}

/** Formats a chunk as a server-sent event. */
export const formatChunk = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;

/**
 * Response with chunks as server-sent events.
 *
 * @param end - text behind the last chunk.
 */
export function createEventResponse(
	chunks: ReadableStream<object>,
	headers: Readonly<Record<string, string>>,
	end = "",
): Response {
	const encoder = new TextEncoder();
	const reader = chunks.getReader();
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value } = await reader.read();
			const text = done ? end : formatChunk(value);
			if (text !== "") controller.enqueue(encoder.encode(text));
			if (done) controller.close();
		},
		cancel: (reason) => reader.cancel(reason),
	});
	return new Response(body, { headers });
}
