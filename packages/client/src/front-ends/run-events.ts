import type { RunError, RunEvent } from "@stemma/core";
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

/** Text of an error for a page, with what to do about it. */
export const toErrorText = ({ message, hint }: RunError): string => (hint ? `${message} ${hint}` : message);

/** Leaves out the chunks of events that the reader has: they are read all the same, as later ones depend on them. */
export const skipUntil =
	<Chunk>(encode: EventEncoder<Chunk>, after = 0): EventEncoder<Chunk> =>
	(event) => {
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
			let chunks: readonly Chunk[] = [];
			let isEnd = false;
			try {
				while (!isEnd && chunks.length === 0) {
					const { done, value } = await iterator.next();
					isEnd = done === true;
					if (!isEnd) chunks = encode(value);
				}
			} catch (error) {
				isEnd = true;
				chunks = toErrorChunks(error);
			}
			for (const chunk of chunks) controller.enqueue(chunk);
			if (isEnd) controller.close();
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
