import { HeaderMarshaller, type Message, type MessageHeaders } from "@smithy/eventstream-codec";
import { crc32 } from "./crc32";

/** One message of an event stream, checked by its checksums. Its body is a view of what was pushed. */
export type EventMessage = Message;

/** A push parser for one response body. */
export interface EventStreamReader {
	/** Returns the messages that this piece of the body completes, up to the damaged one. It may be cut anywhere. */
	push(chunk: Uint8Array): readonly EventMessage[];
	/** Returns whether the stream is damaged: no message can follow those that were returned. */
	isDamaged(): boolean;
}

/** Length of the message, length of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** Length of a message without headers and body. */
const MIN_MESSAGE_BYTES = PRELUDE_BYTES + CHECKSUM_BYTES;
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;
const NO_MESSAGES: readonly EventMessage[] = [];

/**
 * Reads `application/vnd.amazon.eventstream` (Smithy, "Amazon Event Stream Specification"; limits as in AWS's C runtime).
 * AWS's codec reads the headers. Framing and checksums are our own: the codec wants whole messages, and its checksum takes
 * four times as long as all the rest. Time and space are linear in the length of the body, however it is cut. The announced
 * length is not trusted: the buffer never grows beyond twice the bytes received.
 */
export function createEventStreamReader(): EventStreamReader {
	const readHeaders = createHeaderReader();
	/** Bytes of an incomplete message, and room for more. No message is a view of it before it is replaced. */
	let pending: Uint8Array = new Uint8Array();
	let length = 0;
	/** Bytes that must be there before it is worth looking again. */
	let needed = PRELUDE_BYTES;
	let isDamaged = false;

	function push(chunk: Uint8Array): readonly EventMessage[] {
		if (isDamaged) return NO_MESSAGES;
		const data = length === 0 ? chunk : append(chunk);
		const messages: EventMessage[] = [];
		try {
			const consumed = data.length < needed ? 0 : decodeMessages(data, messages);
			length = data.length - consumed;
			if (consumed > 0 || pending.length < length) pending = new Uint8Array(data.subarray(consumed));
		} catch {
			isDamaged = true;
		}
		return messages;
	}

	function append(chunk: Uint8Array): Uint8Array {
		const total = length + chunk.length;
		if (total > pending.length) {
			const grown = new Uint8Array(Math.max(total, Math.min(needed, 2 * total)));
			grown.set(pending.subarray(0, length));
			pending = grown;
		}
		pending.set(chunk, length);
		return pending.subarray(0, total);
	}

	/** Adds the complete messages and returns how many bytes they took. Throws where one is damaged. */
	function decodeMessages(data: Uint8Array, messages: EventMessage[]): number {
		const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		for (let from = 0; ; from += needed) {
			const rest = data.length - from;
			needed = PRELUDE_BYTES;
			if (rest < PRELUDE_BYTES) return from;
			needed = view.getUint32(from);
			const headersLength = view.getUint32(from + 4);
			assert(needed >= MIN_MESSAGE_BYTES && needed <= MAX_MESSAGE_BYTES);
			assert(headersLength <= needed - MIN_MESSAGE_BYTES);
			// Before the rest arrives: a wrong length might announce bytes that never do.
			assertChecksum(data, view, from, from + PRELUDE_BYTES);
			if (rest < needed) return from;
			assertChecksum(data, view, from, from + needed);
			const bodyFrom = from + PRELUDE_BYTES + headersLength;
			const headers = readHeaders(data.subarray(from + PRELUDE_BYTES, bodyFrom));
			messages.push({ headers, body: data.subarray(bodyFrom, from + needed - CHECKSUM_BYTES) });
		}
	}

	return { push, isDamaged: () => isDamaged };
}

/** The last bytes of a section are the checksum of those before. */
function assertChecksum(data: Uint8Array, view: DataView, start: number, end: number): void {
	const checksumFrom = end - CHECKSUM_BYTES;
	assert(crc32(data, start, checksumFrom) === view.getUint32(checksumFrom));
}

function assert(isIntact: boolean): void {
	if (!isIntact) throw new Error("The message is damaged.");
}

/**
 * Creates a reader of the headers of messages, over AWS's codec. Most messages have the headers of the one before, which
 * are returned as they are: decoding them again would take as long as everything else. Throws where the headers do not
 * end where they should.
 */
function createHeaderReader(): (bytes: Uint8Array) => MessageHeaders {
	const decoder = new TextDecoder();
	const marshaller = new HeaderMarshaller(
		(bytes) => (typeof bytes === "string" ? bytes : decoder.decode(bytes)),
		(text) => new TextEncoder().encode(text),
	);
	let known = new Uint8Array();
	let headers: MessageHeaders = {};
	return (bytes) => {
		if (isEqual(bytes, known)) return headers;
		// A copy, so that the codec cannot read on behind the headers.
		const copy = new Uint8Array(bytes);
		headers = marshaller.parse(new DataView(copy.buffer));
		known = copy;
		return headers;
	};
}

function isEqual(bytes: Uint8Array, known: Uint8Array): boolean {
	if (bytes.length !== known.length) return false;
	for (let at = 0; at < bytes.length; at++) if (bytes[at] !== known[at]) return false;
	return true;
}
