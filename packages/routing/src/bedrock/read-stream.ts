import type { ChatEvent } from "@stemma/core";
import type { ReplyReader } from "../http/stream-call";
import type { Endpoint } from "../http/to-provider-error";
import { createEventStreamReader, type EventMessage } from "./event-stream";
import { DAMAGED, UNEXPECTED_FORMAT } from "./map-error";
import type { SendResult } from "./send-request";
import {
	assertSuccess,
	EMPTY_STREAM,
	fail,
	finish,
	isComplete,
	reduceMessage,
	toReply,
} from "./stream-reducer";

/** Maximum wait for the usage once the rest of the answer is complete, in milliseconds. */
const USAGE_TIMEOUT_MS = 5_000;

export interface StreamLimits extends Endpoint {
	readonly idleTimeoutMs: number;
}

/** Reads an answer of ConverseStream. One that has no end is an error, never a short success. */
export function readStream({ response, request }: SendResult, endpoint: StreamLimits): ReplyReader {
	const { body } = response;
	const reader = createEventStreamReader();
	let state = EMPTY_STREAM;

	async function next(): Promise<readonly ChatEvent[] | undefined> {
		assertSuccess(state, endpoint);
		if (state.isDone) return undefined;
		const events: ChatEvent[] = [];
		if (isComplete(state)) await readUsage(events);
		else if (!(await readMessages(events))) state = fail(state, { code: "stream_truncated" });
		return events;
	}

	/**
	 * Reads the usage that follows the end of the answer. A connection that breaks or stays open there loses only the
	 * usage. Where the call itself has ended, the reader of the stream notices that.
	 */
	async function readUsage(events: ChatEvent[]): Promise<void> {
		const readRemaining = async (): Promise<void> => {
			while (!isEnded() && (await readMessages(events)));
		};
		await withTimeout(Math.min(USAGE_TIMEOUT_MS, endpoint.idleTimeoutMs / 2), readRemaining()).catch(
			() => undefined,
		);
		state = finish(state);
	}

	/** Takes the next messages; false at the end. Pieces may be a few bytes long: only what completes a message counts. */
	async function readMessages(events: ChatEvent[]): Promise<boolean> {
		for (;;) {
			const chunk = await body.read();
			if (chunk === undefined || state.isDone) return false;
			const messages = reader.push(toBytes(chunk));
			if (messages.length === 0 && !reader.isDamaged()) continue;
			applyMessages(messages, events);
			return true;
		}
	}

	/** An event that was read before a failure in the same piece still counts. What says nothing breaks no silence. */
	function applyMessages(messages: readonly EventMessage[], events: ChatEvent[]): void {
		const before = state;
		for (const message of messages) {
			if (isEnded()) break;
			const step = reduceMessage(state, message);
			state = step.state;
			for (const event of step.events) events.push(event);
		}
		if (reader.isDamaged()) state = fail(state, state === EMPTY_STREAM ? UNEXPECTED_FORMAT : DAMAGED);
		if (state !== before || events.length > 0) body.resetIdleTimer();
	}

	const isEnded = (): boolean => state.isDone || state.failure !== undefined;

	return { next, toReply: () => toReply(state, request) };
}

/** Waits for it, but no longer than so. */
async function withTimeout(milliseconds: number, promise: Promise<void>): Promise<void> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const timedOut = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, milliseconds);
	});
	await Promise.race([promise, timedOut]).finally(() => clearTimeout(timer));
}

/** Text cannot come where bytes were asked for; the type of a body allows for both. */
const toBytes = (chunk: Uint8Array | string): Uint8Array =>
	typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
