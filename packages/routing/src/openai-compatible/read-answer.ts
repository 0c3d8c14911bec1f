import { createSseReader, type SseEvent } from "@stemma/core/sse";
import { type BodyReader, openBody } from "../http/body-reader";
import type { CallWatch } from "../http/call-watch";
import { NOT_THE_FORMAT } from "./map-error";
import type { Settings } from "./options";
import { toProviderError, toSilenceError } from "./provider-errors";

/** The longest answer, in bytes; nothing that a model writes is near. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** As much of an error as is looked at, in UTF-16 code units. */
const LONGEST_ERROR = 64 * 1024;

/** The body of one answer, under the limits of its call. */
export interface AnswerBody {
	/** The events of the stream, up to the end of the body. */
	events(): AsyncGenerator<SseEvent>;
	/** All of it. */
	text(): Promise<string>;
	/** As much of it as can be had. */
	errorText(): Promise<string>;
	/** Leaves the rest: what is `wanted` no more is stopped, what is merely unread runs out. */
	leave(isComplete: boolean): void;
}

/** Silence is measured while waiting for the vendor alone, and keep-alives do not break it. */
export function openAnswer(response: Response, watch: CallWatch, settings: Settings): AnswerBody {
	const body = openBody(response);
	const readPiece = limitPieces(body, watch, settings);

	async function* events(): AsyncGenerator<SseEvent> {
		const reader = createSseReader();
		for (let piece = await readPiece(); piece !== undefined; piece = await readPiece()) {
			for (const event of parse(() => reader.push(piece as Uint8Array | string), settings)) {
				watch.disarm();
				watch.throwIfEnded();
				yield event;
			}
		}
	}

	async function text(longest = Number.POSITIVE_INFINITY): Promise<string> {
		const decoder = new TextDecoder();
		let whole = "";
		for (let piece = await readPiece(); piece !== undefined; piece = await readPiece()) {
			const part = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
			if (/\S/.test(part)) watch.disarm();
			whole += part;
			if (whole.length > longest) break;
		}
		watch.disarm();
		return whole;
	}

	return {
		events,
		text: () => text(),
		async errorText() {
			const found = await text(LONGEST_ERROR).catch(() => "");
			watch.throwIfEnded();
			body.cancel();
			return found;
		},
		leave: (isComplete) => (isComplete ? body.drain() : body.cancel()),
	};
}

function limitPieces(body: BodyReader, watch: CallWatch, settings: Settings): BodyReader["read"] {
	let length = 0;
	return async () => {
		watch.arm(settings.silenceMs, () => toSilenceError(settings));
		const piece = await watch.guard(body.read()).catch((cause: unknown) => {
			watch.throwIfEnded();
			throw toProviderError({ code: "stream_truncated" }, settings, { cause });
		});
		length += piece?.length ?? 0;
		if (length > LONGEST_ANSWER) throw toProviderError(NOT_THE_FORMAT, settings);
		return piece;
	};
}

/** An event that is longer than any model's is none of the format. */
function parse(read: () => SseEvent[], settings: Settings): SseEvent[] {
	try {
		return read();
	} catch (cause) {
		throw toProviderError(NOT_THE_FORMAT, settings, { cause });
	}
}
