import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { createSseReader, type SseEvent, type SseReader } from "@stemma/core/sse";
import type { OpenAnswer } from "./client";
import { StreamError } from "./errors";
import { NOT_THE_SERVICE } from "./invalid-answer";
import { parseJson } from "./read-api-error";

/** Takes one event, of so many characters. Reading goes on once what it returns is settled: it does that at its own pace. */
export type TakeEvent<Event> = (event: Event, length: number) => Promise<void> | undefined;

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
			for (const { data } of readPiece(reader, piece, answer)) {
				const pause = take(demandEvent(parseJson(data), answer.requestId), data.length);
				if (pause !== undefined) await pause;
			}
	} finally {
		answer.close();
	}
}

/** The events that a piece of the body completes. @throws StreamError `sse_event_too_large` */
export function readPiece(
	reader: SseReader,
	piece: Uint8Array | string,
	{ requestId }: Pick<OpenAnswer, "requestId">,
): readonly SseEvent[] {
	try {
		return reader.push(piece);
	} catch (error) {
		if (ConfigurationError.is(error) || !isStemmaError(error)) throw error;
		throw new StreamError(error.message, { code: error.code, hint: NOT_THE_SERVICE, requestId });
	}
}

/** @throws StreamError for what is no event. */
export function demandEvent<Event>(value: unknown, requestId: string): Event {
	if (isJsonObject(value) && typeof value.type === "string" && Number.isSafeInteger(value.seq))
		return value as Event;
	throw createNoEventError(requestId);
}

export const createNoEventError = (requestId: string): StreamError =>
	new StreamError("The stream sent something that is no event.", {
		code: "stream_invalid",
		hint: NOT_THE_SERVICE,
		requestId,
	});
