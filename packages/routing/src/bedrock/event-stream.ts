import { EventStreamCodec } from "@smithy/eventstream-codec";
import { StemmaError } from "@stemma/core/errors";
import { createHeaderTextDecoder } from "./header-text";

/** One message of an event stream, checked by its checksums. */
export interface EventMessage {
	/** `:message-type`, `:event-type` and others. */
	readonly headers: { readonly [name: string]: { readonly value: unknown } | undefined };
	/** A view of what was pushed. */
	readonly body: Uint8Array;
}

/** A push parser for one response body. */
export interface EventStreamReader {
	/**
	 * The messages that this piece of the body completes. It may be cut anywhere.
	 *
	 * @throws StemmaError `event_stream_damaged` when something cannot be as it was sent. The messages before it come
	 * first: where this piece holds some, `check` and the next call throw.
	 */
	push(chunk: Uint8Array): readonly EventMessage[];
	/** @throws StemmaError `event_stream_damaged` when no message can follow those that were given. */
	check(): void;
	/** @throws StemmaError `event_stream_truncated` when a message has begun that is not complete. */
	end(): void;
}

/** Two lengths and their checksum. */
const PRELUDE_LENGTH = 12;
/** What a message is without headers and body. */
const SHORTEST_MESSAGE = PRELUDE_LENGTH + 4;
const LONGEST_MESSAGE = 24 * 1024 * 1024;
const NO_MESSAGES: readonly EventMessage[] = [];

/**
 * Reads `application/vnd.amazon.eventstream` (Smithy, "Amazon Event Stream Specification"; limits as in AWS's C runtime).
 * Time is linear in the length of the body, however it is cut: pieces of a message are joined once.
 */
export function createEventStreamReader(): EventStreamReader {
	const codec = new EventStreamCodec(createHeaderTextDecoder(), (text) => new TextEncoder().encode(text));
	let pieces: Uint8Array[] = [];
	let length = 0;
	/** What must be there before it is worth looking at again. */
	let needed = PRELUDE_LENGTH;
	let damage: unknown;

	function check(): void {
		if (damage !== undefined) throw damage;
	}

	function push(chunk: Uint8Array): readonly EventMessage[] {
		check();
		pieces.push(chunk);
		length += chunk.length;
		if (length < needed) return NO_MESSAGES;
		const data = pieces.length === 1 ? chunk : join(pieces, length);
		const messages: EventMessage[] = [];
		try {
			const taken = takeMessages(data, messages);
			length = data.length - taken;
			pieces = length === 0 ? [] : [data.subarray(taken)];
		} catch (error) {
			damage = error;
			if (messages.length === 0) throw error;
		}
		return messages;
	}

	function takeMessages(data: Uint8Array, messages: EventMessage[]): number {
		const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		let from = 0;
		for (; ; from += needed) {
			const rest = data.length - from;
			needed = PRELUDE_LENGTH;
			if (rest < PRELUDE_LENGTH) return from;
			needed = readLength(view, from);
			if (rest < needed) {
				checkPrelude(view, from);
				return from;
			}
			messages.push(decode(codec, data.subarray(from, from + needed)));
		}
	}

	return {
		push,
		check,
		end() {
			check();
			if (length > 0)
				throw new StemmaError("The event stream ended in the middle of a message.", {
					code: "event_stream_truncated",
				});
		},
	};
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
	const whole = new Uint8Array(length);
	let from = 0;
	for (const piece of pieces) {
		whole.set(piece, from);
		from += piece.length;
	}
	return whole;
}

function readLength(view: DataView, from: number): number {
	const length = view.getUint32(from);
	const headersLength = view.getUint32(from + 4);
	if (length < SHORTEST_MESSAGE || length > LONGEST_MESSAGE) failDamaged();
	if (headersLength > length - SHORTEST_MESSAGE) failDamaged();
	return length;
}

/** Before the rest is waited for: a wrong length could ask for what never comes. */
function checkPrelude(view: DataView, from: number): void {
	let checksum = ~0;
	for (let at = from; at < from + 8; at++) {
		checksum ^= view.getUint8(at);
		for (let bit = 0; bit < 8; bit++) checksum = (checksum >>> 1) ^ (checksum & 1 ? 0xedb88320 : 0);
	}
	if (~checksum >>> 0 !== view.getUint32(from + 8)) failDamaged();
}

/** Checks both checksums. */
function decode(codec: EventStreamCodec, message: Uint8Array): EventMessage {
	try {
		return codec.decode(message);
	} catch (cause) {
		return failDamaged(cause);
	}
}

function failDamaged(cause?: unknown): never {
	throw new StemmaError("The event stream is damaged.", { code: "event_stream_damaged", cause });
}
