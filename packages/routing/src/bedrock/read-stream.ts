import type { ChatEvent } from "@stemma/core";
import type { ReplyReader } from "../http/stream-call";
import type { Endpoint } from "../http/to-provider-error";
import type { Asked } from "./ask";
import { createEventStreamReader, type EventMessage } from "./event-stream";
import { DAMAGED, NOT_THE_FORMAT } from "./map-error";
import {
	demandSuccess,
	EMPTY_STREAM,
	fail,
	finish,
	isComplete,
	reduceMessage,
	toReply,
} from "./stream-reducer";

/** How long the usage is waited for when all else is there. */
const USAGE_WAIT_MS = 5_000;

export interface StreamLimits extends Endpoint {
	readonly silenceMs: number;
}

/** Reads an answer of ConverseStream. One that has no end is an error, never a short success. */
export function readStream({ answer, asked }: Asked, endpoint: StreamLimits): ReplyReader {
	const { body } = answer;
	const reader = createEventStreamReader();
	let state = EMPTY_STREAM;

	async function next(): Promise<readonly ChatEvent[] | undefined> {
		demandSuccess(state, endpoint);
		if (state.isDone) return undefined;
		const events: ChatEvent[] = [];
		if (isComplete(state)) await readUsage(events);
		else if (!(await readOn(events))) state = fail(state, { code: "stream_truncated" });
		return events;
	}

	/**
	 * Behind the last word, a connection that breaks or does not come to its end takes nothing away but the usage. Where
	 * the call itself has ended, whoever reads this knows.
	 */
	async function readUsage(events: ChatEvent[]): Promise<void> {
		const rest = async (): Promise<void> => {
			while (!isOver() && (await readOn(events)));
		};
		await within(Math.min(USAGE_WAIT_MS, endpoint.silenceMs / 2), rest()).catch(() => undefined);
		state = finish(state);
	}

	/** Takes the next messages; false at the end. Pieces may be a few bytes long: only what completes a message counts. */
	async function readOn(events: ChatEvent[]): Promise<boolean> {
		for (;;) {
			const piece = await body.read();
			if (piece === undefined || state.isDone) return false;
			const messages = reader.push(toBytes(piece));
			if (messages.length === 0 && !reader.isDamaged()) continue;
			take(messages, events);
			return true;
		}
	}

	/** An event that was read before a failure in the same piece still counts. What says nothing breaks no silence. */
	function take(messages: readonly EventMessage[], events: ChatEvent[]): void {
		const before = state;
		for (const message of messages) {
			if (isOver()) break;
			const step = reduceMessage(state, message);
			state = step.state;
			for (const event of step.events) events.push(event);
		}
		if (reader.isDamaged()) state = fail(state, state === EMPTY_STREAM ? NOT_THE_FORMAT : DAMAGED);
		if (state !== before || events.length > 0) body.heard();
	}

	const isOver = (): boolean => state.isDone || state.failure !== undefined;

	return { next, toReply: () => toReply(state, asked) };
}

/** Waits for it, but no longer than so. */
async function within(milliseconds: number, promise: Promise<void>): Promise<void> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, milliseconds);
	});
	await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Text cannot come where bytes were asked for; the type of a body allows for both. */
const toBytes = (piece: Uint8Array | string): Uint8Array =>
	typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
