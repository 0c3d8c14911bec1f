import type { ChatEvent } from "@stemma/core";
import { MAX_TIMER_MS } from "@stemma/core/internal";
import { createSseReader, type SseEvent } from "@stemma/core/sse";
import type { HttpResponse } from "../http/send-with-retry";
import type { ReplyReader } from "../http/stream-call";
import { toProviderError } from "../http/to-provider-error";
import { ProviderError } from "../provider-error";
import { UNEXPECTED_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { EMPTY_STREAM, findEndFailure, isComplete, reduceEvent, toReply } from "./stream-reducer";

/** Reads a streamed answer. One that has no end is an error, never a short success. */
export function readStream({ body }: HttpResponse, settings: Settings): ReplyReader {
	const reader = createSseReader();
	let state = EMPTY_STREAM;

	async function next(): Promise<readonly ChatEvent[] | undefined> {
		if (state.failure !== undefined) throw toProviderError(state.failure, settings);
		const events = state.isDone ? undefined : await readEvents();
		const failure = events === undefined ? findEndFailure(state) : undefined;
		if (failure !== undefined) throw toProviderError(failure, settings);
		return events;
	}

	/** Undefined at the end. */
	async function readEvents(): Promise<readonly ChatEvent[] | undefined> {
		// Set before silence is measured, so first.
		const idleTimer = isComplete(state) ? startIdleTimer(settings.idleTimeoutMs) : undefined;
		try {
			for (;;) {
				const chunk = await (idleTimer ? Promise.race([body.read(), idleTimer.expired]) : body.read());
				if (chunk === undefined) break;
				const before = state;
				// Pieces may be a few bytes long, and events may say nothing; only news is handed on.
				const events = applyEvents(parse(chunk));
				if (state !== before) return events;
			}
		} catch (error) {
			// A connection that breaks behind the last word has taken nothing away.
			if (!isComplete(state) || !isCutOff(error)) throw error;
		} finally {
			idleTimer?.stop();
		}
		if (!isComplete(state)) throw toProviderError({ code: "stream_truncated" }, settings);
		return undefined;
	}

	/** Applies the events of one piece. Events before a failure in the same piece still count. */
	function applyEvents(messages: readonly SseEvent[]): readonly ChatEvent[] {
		const events: ChatEvent[] = [];
		const before = state;
		for (const message of messages) {
			const step = reduceEvent(state, message);
			state = step.state;
			for (const event of step.events) events.push(event);
			if (state.failure !== undefined || state.isDone) break;
		}
		if (state !== before) body.resetIdleTimer();
		return events;
	}

	/** An event that is longer than any model's is none of the format. */
	function parse(chunk: Uint8Array | string): readonly SseEvent[] {
		try {
			return reader.push(chunk);
		} catch (cause) {
			throw toProviderError(UNEXPECTED_FORMAT, settings, { cause });
		}
	}

	return { next, toReply: () => toReply(state, settings) };
}

/** Starts the timer that ends a stream which has given its finish reason and then neither closes nor sends more. */
function startIdleTimer(milliseconds: number) {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const expired = new Promise<undefined>((resolve) => {
		if (milliseconds <= MAX_TIMER_MS) timer = setTimeout(() => resolve(undefined), milliseconds);
	});
	return { expired, stop: () => clearTimeout(timer) };
}

const isCutOff = (error: unknown): boolean => ProviderError.is(error) && error.code !== "bad_response";
