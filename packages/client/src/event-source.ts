import { isJsonObject } from "@stemma/core/internal";
import { createSseReader, type SseEvent } from "@stemma/core/sse";
import type { OpenAnswer } from "./client";
import { StreamError } from "./errors";
import { parseJson } from "./read-api-error";

/** The server-sent events of one answer, until its body ends. Leaving the loop closes the connection. */
export async function* readServerEvents(answer: OpenAnswer): AsyncGenerator<SseEvent> {
	const reader = createSseReader();
	try {
		for (let piece = await answer.read(); piece !== undefined; piece = await answer.read())
			yield* reader.push(piece);
	} finally {
		answer.close();
	}
}

/** The same, with `data` read as JSON objects that have a `type` and a `seq`. */
export async function* readTypedEvents<Event extends { readonly type: string; readonly seq: number }>(
	answer: OpenAnswer,
): AsyncGenerator<Event> {
	for await (const { data } of readServerEvents(answer)) yield toTypedEvent<Event>(data, answer.requestId);
}

function toTypedEvent<Event>(data: string, requestId: string): Event {
	const event = parseJson(data);
	if (isJsonObject(event) && typeof event.type === "string" && typeof event.seq === "number")
		return event as Event;
	throw new StreamError("The stream sent something that is no event.", {
		code: "stream_invalid",
		hint: "Look at `baseUrl`: something else than the service may have answered.",
		requestId,
	});
}
