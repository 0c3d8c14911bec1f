import { isJsonObject } from "@stemma/core/internal";
import { createSseReader, type SseEvent } from "@stemma/core/sse";
import type { OpenAnswer } from "./client";
import { StreamError } from "./errors";
import { parseJson } from "./read-api-error";

/** Takes one event, of so many characters. Reading goes on once what it returns is settled: it does that at its own pace. */
export type TakeEvent<Event> = (event: Event, length: number) => Promise<void> | undefined;

/** The server-sent events of one answer, until its body ends. Leaving the loop closes the connection. */
export async function* readServerEvents(answer: OpenAnswer): AsyncGenerator<SseEvent> {
	const reader = createSseReader();
	try {
		for (let piece = await answer.read(); piece !== undefined; piece = await answer.read())
			for (const event of reader.push(piece)) yield event;
	} finally {
		answer.close();
	}
}

/**
 * Gives the server-sent events of one answer to `take`, until its body ends: `data` as JSON objects that have a `type` and
 * a `seq`. Calls, unlike `for await`, cost no promise for each event.
 */
export async function readTypedEvents<Event extends { readonly type: string; readonly seq: number }>(
	answer: OpenAnswer,
	take: TakeEvent<Event>,
): Promise<void> {
	const reader = createSseReader();
	try {
		for (let piece = await answer.read(); piece !== undefined; piece = await answer.read())
			for (const { data } of reader.push(piece)) {
				const pause = take(demandEvent(parseJson(data), answer.requestId), data.length);
				if (pause !== undefined) await pause;
			}
	} finally {
		answer.close();
	}
}

/** @throws StreamError for what is no event. */
export function demandEvent<Event>(value: unknown, requestId: string): Event {
	if (isJsonObject(value) && typeof value.type === "string" && typeof value.seq === "number")
		return value as Event;
	throw createNoEventError(requestId);
}

export const createNoEventError = (requestId: string): StreamError =>
	new StreamError("The stream sent something that is no event.", {
		code: "stream_invalid",
		hint: "Look at `baseUrl`: something else than the service may have answered.",
		requestId,
	});
