import { crc32 } from "./crc32";
import { createHeaderReader, type EventHeaders } from "./event-headers";

/** One message of an event stream, checked by its checksums. */
export interface EventMessage {
	readonly headers: EventHeaders;
	/** A view of what was pushed. */
	readonly body: Uint8Array;
}

/** A push parser for one response body. */
export interface EventStreamReader {
	/** The messages that this piece of the body completes, up to what is damaged. It may be cut anywhere. */
	push(chunk: Uint8Array): readonly EventMessage[];
	/** Whether something has come that cannot be as it was sent: no message can follow those that were given. */
	isDamaged(): boolean;
}

/** The length of the message, that of its headers, and the checksum of both. */
const PRELUDE_LENGTH = 12;
const CHECKSUM_LENGTH = 4;
/** What a message is without headers and body. */
const SHORTEST_MESSAGE = PRELUDE_LENGTH + CHECKSUM_LENGTH;
const LONGEST_MESSAGE = 24 * 1024 * 1024;
const NO_MESSAGES: readonly EventMessage[] = [];

/**
 * Reads `application/vnd.amazon.eventstream` (Smithy, "Amazon Event Stream Specification"; limits as in AWS's C runtime).
 * Time and space are linear in the length of the body, however it is cut. What a message claims to be is not trusted:
 * there is room for twice of what has come, at the most.
 */
export function createEventStreamReader(): EventStreamReader {
	const readHeaders = createHeaderReader();
	/** What is left over, and room for more. No message is a view of it before it is left. */
	let pending: Uint8Array = new Uint8Array();
	let length = 0;
	/** What must be there before it is worth looking at again. */
	let needed = PRELUDE_LENGTH;
	let isDamaged = false;

	function push(chunk: Uint8Array): readonly EventMessage[] {
		if (isDamaged) return NO_MESSAGES;
		const data = length === 0 ? chunk : append(chunk);
		const messages: EventMessage[] = [];
		try {
			const taken = data.length < needed ? 0 : takeMessages(data, messages);
			length = data.length - taken;
			if (taken > 0 || pending.length < length) pending = new Uint8Array(data.subarray(taken));
		} catch {
			isDamaged = true;
		}
		return messages;
	}

	function append(chunk: Uint8Array): Uint8Array {
		const total = length + chunk.length;
		if (total > pending.length) {
			const wider = new Uint8Array(Math.max(total, Math.min(needed, 2 * total)));
			wider.set(pending.subarray(0, length));
			pending = wider;
		}
		pending.set(chunk, length);
		return pending.subarray(0, total);
	}

	function takeMessages(data: Uint8Array, messages: EventMessage[]): number {
		const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
		let from = 0;
		for (; ; from += needed) {
			const rest = data.length - from;
			needed = PRELUDE_LENGTH;
			if (rest < PRELUDE_LENGTH) return from;
			needed = view.getUint32(from);
			const headersLength = view.getUint32(from + 4);
			demand(needed >= SHORTEST_MESSAGE && needed <= LONGEST_MESSAGE);
			demand(headersLength <= needed - SHORTEST_MESSAGE);
			// Before the rest is waited for: a wrong length could ask for what never comes.
			checkSum(data, view, from, from + PRELUDE_LENGTH);
			if (rest < needed) return from;
			checkSum(data, view, from, from + needed);
			const bodyFrom = from + PRELUDE_LENGTH + headersLength;
			const headers = readHeaders(data.subarray(from + PRELUDE_LENGTH, bodyFrom));
			messages.push({ headers, body: data.subarray(bodyFrom, from + needed - CHECKSUM_LENGTH) });
		}
	}

	return { push, isDamaged: () => isDamaged };
}

/** The last bytes are the checksum of those before. */
function checkSum(data: Uint8Array, view: DataView, start: number, end: number): void {
	const sumFrom = end - CHECKSUM_LENGTH;
	demand(crc32(data, start, sumFrom) === view.getUint32(sumFrom));
}

function demand(isPossible: boolean): void {
	if (!isPossible) throw new Error("Damaged.");
}
