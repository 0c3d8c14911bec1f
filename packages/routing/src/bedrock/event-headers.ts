/** `:message-type`, `:event-type` and others: text where it is text, else the bytes of the value. */
export interface EventHeaders {
	readonly [name: string]: string | Uint8Array | undefined;
}

/** By their type: true, false, byte, short, integer, long, bytes, text, time, UUID. */
const VALUE_LENGTHS: readonly (number | "written")[] = [0, 0, 1, 2, 4, 8, "written", "written", 8, 16];
const TEXT = 7;

/**
 * Reads the headers of messages. Most have those of the message before: decoding them anew would take as long as all
 * else. What reads them throws a RangeError where they do not end where they should.
 */
export function createHeaderReader(): (bytes: Uint8Array) => EventHeaders {
	const decoder = new TextDecoder();
	let known = new Uint8Array();
	let headers: EventHeaders = {};
	return (bytes) => {
		if (isSame(bytes, known)) return headers;
		const copy = new Uint8Array(bytes);
		headers = parseHeaders(copy, decoder);
		known = copy;
		return headers;
	};
}

function isSame(bytes: Uint8Array, known: Uint8Array): boolean {
	if (bytes.length !== known.length) return false;
	for (let at = 0; at < bytes.length; at++) if (bytes[at] !== known[at]) return false;
	return true;
}

function parseHeaders(bytes: Uint8Array, decoder: TextDecoder): EventHeaders {
	const view = new DataView(bytes.buffer);
	const headers: Record<string, string | Uint8Array> = {};
	let at = 0;
	while (at < bytes.length) {
		const typeAt = at + 1 + view.getUint8(at);
		const name = decoder.decode(bytes.subarray(at + 1, typeAt));
		const type = view.getUint8(typeAt);
		const known = VALUE_LENGTHS[type];
		if (known === undefined) throw new RangeError("Damaged.");
		const length = known === "written" ? view.getUint16(typeAt + 1) : known;
		const from = typeAt + (known === "written" ? 3 : 1);
		at = from + length;
		const value = bytes.subarray(from, at);
		headers[name] = type === TEXT ? decoder.decode(value) : value;
	}
	if (at > bytes.length) throw new RangeError("Damaged.");
	return headers;
}
