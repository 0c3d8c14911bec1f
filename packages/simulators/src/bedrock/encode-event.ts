import { crc32 } from "node:zlib";

/** Of a header whose value is a string. */
const STRING = 7;
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * One message of `application/vnd.amazon.eventstream`: lengths, their checksum, headers, payload, checksum of all.
 * Written from the format's description, on purpose without the code that clients read it with.
 */
export function encodeEvent(headers: Readonly<Record<string, string>>, payload: string): Buffer {
	const head = Buffer.concat(Object.entries(headers).map(encodeHeader));
	const body = Buffer.from(payload);
	const total = PRELUDE_BYTES + head.length + body.length + CHECKSUM_BYTES;
	const checked = Buffer.concat([encodePrelude(total, head.length), head, body]);
	return Buffer.concat([checked, toUint32(crc32(checked))]);
}

/** How an event begins: its whole length, that of its headers, and the checksum of the two. */
export function encodePrelude(totalBytes: number, headerBytes: number): Buffer {
	const lengths = Buffer.concat([toUint32(totalBytes), toUint32(headerBytes)]);
	return Buffer.concat([lengths, toUint32(crc32(lengths))]);
}

function encodeHeader([name, value]: readonly [string, string]): Buffer {
	const [nameBytes, valueBytes] = [Buffer.from(name), Buffer.from(value)];
	const length = Buffer.alloc(2);
	length.writeUInt16BE(valueBytes.length);
	return Buffer.concat([Buffer.of(nameBytes.length), nameBytes, Buffer.of(STRING), length, valueBytes]);
}

function toUint32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}
