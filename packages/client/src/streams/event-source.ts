import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { createSseReader, type SseEvent, type SseReader } from "@stemma/core/sse";
import type { OpenResponse } from "../client";
import { StreamError } from "../errors/errors";
import { CHECK_BASE_URL_HINT } from "../errors/invalid-response";
import { parseJson } from "../errors/read-api-error";

/** Handles one event, of so many characters. Reading goes on once what it returns is settled, at its own pace. */
export type EventHandler<Event> = (event: Event, length: number) => Promise<void> | undefined;

/**
 * Gives the server-sent events of one response to `onEvent`, until its body ends: `data` as JSON, `undefined` for what is
 * none. Calls, unlike `for await`, cost no promise for each event.
 */
export async function readJsonEvents(response: OpenResponse, onEvent: EventHandler<unknown>): Promise<void> {
	const reader = createSseReader();
	try {
		for (let chunk = await response.read(); chunk !== undefined; chunk = await response.read())
			for (const { data } of readSseEvents(reader, chunk, response)) {
				const handled = onEvent(parseJson(data), data.length);
				if (handled !== undefined) await handled;
			}
	} finally {
		response.close();
	}
}

/** The events that a chunk of the body completes. @throws StreamError `sse_event_too_large` */
export function readSseEvents(
	reader: SseReader,
	chunk: Uint8Array | string,
	{ requestId }: Pick<OpenResponse, "requestId">,
): readonly SseEvent[] {
	try {
		return reader.push(chunk);
	} catch (error) {
		if (ConfigurationError.is(error) || !isStemmaError(error)) throw error;
		throw new StreamError(error.message, { code: error.code, hint: CHECK_BASE_URL_HINT, requestId });
	}
}

/** Reads a JSON object that has a `type` and a `seq`. @throws StreamError for what is no event. */
export function readEvent<Event>(value: unknown, requestId: string): Event {
	if (isJsonObject(value) && typeof value.type === "string" && Number.isSafeInteger(value.seq))
		return value as Event;
	throw createInvalidEventError(requestId);
}

export const createInvalidEventError = (requestId: string): StreamError =>
	new StreamError("The stream sent something that is not an event.", {
		code: "stream_invalid",
		hint: CHECK_BASE_URL_HINT,
		requestId,
	});
