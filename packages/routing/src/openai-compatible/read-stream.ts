import type { ChatEvent } from "@stemma/core";
import { createSseReader, type SseEvent } from "@stemma/core/sse";
import type { Answer } from "../http/post";
import type { ReplyReader } from "../http/stream-call";
import { toProviderError } from "../http/to-provider-error";
import { ProviderError } from "../provider-error";
import { NOT_THE_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { EMPTY_STREAM, isComplete, reduceEvent, toReply } from "./stream-reducer";

/** Reads a streamed answer. One that has no end is an error, never a short success. */
export function readStream({ body }: Answer, settings: Settings): ReplyReader {
	const reader = createSseReader();
	let state = EMPTY_STREAM;

	async function next(): Promise<readonly ChatEvent[] | undefined> {
		if (state.failure !== undefined) throw toProviderError(state.failure, settings);
		if (state.isDone) return undefined;
		try {
			for (let piece = await body.read(); piece !== undefined; piece = await body.read()) {
				const messages = parse(piece);
				// Pieces may be a few bytes long; only what completes an event is handed on.
				if (messages.length > 0) return take(messages);
			}
		} catch (error) {
			// A connection that breaks behind the last word has taken nothing away.
			if (!isComplete(state) || !isCutOff(error)) throw error;
		}
		if (!isComplete(state)) throw toProviderError({ code: "stream_truncated" }, settings);
		return undefined;
	}

	/** What was said before a failure in the same piece still counts. */
	function take(messages: readonly SseEvent[]): readonly ChatEvent[] {
		const events: ChatEvent[] = [];
		body.heard();
		for (const message of messages) {
			const step = reduceEvent(state, message);
			state = step.state;
			for (const event of step.events) events.push(event);
			if (state.failure !== undefined || state.isDone) break;
		}
		return events;
	}

	/** An event that is longer than any model's is none of the format. */
	function parse(piece: Uint8Array | string): readonly SseEvent[] {
		try {
			return reader.push(piece);
		} catch (cause) {
			throw toProviderError(NOT_THE_FORMAT, settings, { cause });
		}
	}

	return { next, toReply: () => toReply(state, settings.vendorHost) };
}

const isCutOff = (error: unknown): boolean => ProviderError.is(error) && error.code !== "bad_response";
