import type { ChatEvent } from "@stemma/core";
import type { ReplyReader } from "../http/stream-call";
import { type Endpoint, toProviderError, type VendorFailure } from "../http/to-provider-error";
import { ProviderError } from "../provider-error";
import type { Asked } from "./ask";
import { createEventStreamReader, type EventMessage } from "./event-stream";
import { DAMAGED, NOT_THE_FORMAT } from "./map-error";
import { EMPTY_STREAM, isComplete, reduceMessage, toReply } from "./stream-reducer";

const TRUNCATED: VendorFailure = { code: "stream_truncated" };
/** How long the usage is waited for when all else is there. */
const USAGE_WAIT_MS = 5_000;

export interface StreamLimits extends Endpoint {
	readonly silenceMs: number;
}

/** Reads an answer of ConverseStream. One that has no end is an error, never a short success. */
export function readStream({ answer, asked }: Asked, endpoint: StreamLimits): ReplyReader {
	const { body } = answer;
	const usageWaitMs = Math.min(USAGE_WAIT_MS, endpoint.silenceMs / 2);
	const reader = createEventStreamReader();
	let state = EMPTY_STREAM;

	async function next(): Promise<readonly ChatEvent[] | undefined> {
		if (state.failure !== undefined) throw toProviderError(state.failure, endpoint);
		if (state.isDone) return undefined;
		for (let piece = await read(); piece !== undefined; piece = await read()) {
			const messages = reader.push(toBytes(piece));
			// Pieces may be a few bytes long; only what completes a message is handed on.
			if (messages.length > 0 || reader.isDamaged()) return take(messages);
		}
		if (!isComplete(state)) throw toProviderError(TRUNCATED, endpoint);
		return undefined;
	}

	/** Behind the last word, a connection that breaks or falls silent takes nothing away but the usage. */
	function read(): Promise<Uint8Array | string | undefined> {
		return isComplete(state) ? within(usageWaitMs, body.read()).catch(forgiveCutOff) : body.read();
	}

	/** An event that was read before a failure in the same piece still counts. */
	function take(messages: readonly EventMessage[]): readonly ChatEvent[] {
		const events: ChatEvent[] = [];
		body.heard();
		for (const message of messages) {
			const step = reduceMessage(state, message);
			state = step.state;
			for (const event of step.events) events.push(event);
			if (state.failure !== undefined || state.isDone) return events;
		}
		if (reader.isDamaged()) state = { ...state, failure: state === EMPTY_STREAM ? NOT_THE_FORMAT : DAMAGED };
		return events;
	}

	return { next, toReply: () => toReply(state, asked) };
}

function forgiveCutOff(error: unknown): undefined {
	if (!ProviderError.is(error) || error.code !== "stream_truncated") throw error;
}

/** Undefined where it takes longer. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, milliseconds, undefined);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Text cannot come where bytes were asked for; the type of a body allows for both. */
const toBytes = (piece: Uint8Array | string): Uint8Array =>
	typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
