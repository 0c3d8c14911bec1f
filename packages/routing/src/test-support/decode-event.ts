import { crc32 } from "node:zlib";

/** A message of an event stream with its headers as they are on the wire: type and bytes of each value. */
export interface DecodedEvent {
	readonly headers: readonly (readonly [name: string, type: number, value: Uint8Array])[];
	readonly body: Uint8Array;
}

/** Lengths of values by type: true, false, byte, short, integer, long, bytes, text, time, UUID. */
const VALUE_BYTES: readonly (number | "announced")[] = [0, 0, 1, 2, 4, 8, "announced", "announced", 8, 16];

/**
 * Decodes the message that `bytes` start with, written from Smithy's "Amazon Event Stream Specification" alone: the
 * oracle for the codec that is shipped. Returns nothing for a message that is damaged or incomplete.
 */
export function decodeEvent(bytes: Uint8Array): DecodedEvent | undefined {
	const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (data.length < 16) return undefined;
	const [total, headersLength] = [data.readUInt32BE(0), data.readUInt32BE(4)];
	if (total < 16 || total > data.length || headersLength > total - 16) return undefined;
	if (crc32(data.subarray(0, 8)) !== data.readUInt32BE(8)) return undefined;
	if (crc32(data.subarray(0, total - 4)) !== data.readUInt32BE(total - 4)) return undefined;
	const headers = decodeHeaders(data.subarray(12, 12 + headersLength));
	return headers && { headers, body: Uint8Array.from(data.subarray(12 + headersLength, total - 4)) };
}

function decodeHeaders(data: Buffer): DecodedEvent["headers"] | undefined {
	const headers: (readonly [string, number, Uint8Array])[] = [];
	let at = 0;
	while (at < data.length) {
		const typeAt = at + 1 + data.readUInt8(at);
		const type = data[typeAt] ?? -1;
		const announced = VALUE_BYTES[type] === "announced";
		if (VALUE_BYTES[type] === undefined || (announced && typeAt + 3 > data.length)) return undefined;
		const length = announced ? data.readUInt16BE(typeAt + 1) : Number(VALUE_BYTES[type]);
		const from = typeAt + (announced ? 3 : 1);
		headers.push([
			new TextDecoder().decode(data.subarray(at + 1, typeAt)),
			type,
			Uint8Array.from(data.subarray(from, from + length)),
		]);
		at = from + length;
	}
	return at === data.length ? headers : undefined;
}
