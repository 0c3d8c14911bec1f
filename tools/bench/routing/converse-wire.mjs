import { crc32 } from "node:zlib";

const PRELUDE_LENGTH = 12;
const CHECKSUM_LENGTH = 4;
const TEXT = 7;
/** The vendor hides the lengths of words behind the beginning of this. */
const PADDING = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** What a delta of one word is as a message. */
export const FRAME_LENGTH = 188;

/** An answer of ConverseStream, `application/vnd.amazon.eventstream`, with a message for each delta. */
export function writeConverse(deltas) {
	return Buffer.concat([
		toFrame("messageStart", { role: "assistant", p: PADDING.slice(0, 20) }),
		...deltas.map(toDeltaFrame),
		toFrame("contentBlockStop", { contentBlockIndex: 0, p: PADDING.slice(0, 30) }),
		toFrame("messageStop", { stopReason: "end_turn", p: PADDING.slice(0, 10) }),
		toFrame("metadata", {
			usage: { inputTokens: 20, outputTokens: deltas.length, totalTokens: 20 + deltas.length },
			metrics: { latencyMs: 1_000 },
			p: PADDING.slice(0, 40),
		}),
	]);
}

function toDeltaFrame(text) {
	const toPadded = (length) =>
		toFrame("contentBlockDelta", { contentBlockIndex: 0, delta: { text }, p: PADDING.slice(0, length) });
	return toPadded(Math.max(0, FRAME_LENGTH - toPadded(0).length));
}

function toFrame(type, payload) {
	const headers = Buffer.concat([
		toHeader(":event-type", type),
		toHeader(":content-type", "application/json"),
		toHeader(":message-type", "event"),
	]);
	const body = Buffer.from(JSON.stringify(payload));
	const frame = Buffer.alloc(PRELUDE_LENGTH + headers.length + body.length + CHECKSUM_LENGTH);
	frame.writeUInt32BE(frame.length, 0);
	frame.writeUInt32BE(headers.length, 4);
	frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
	headers.copy(frame, PRELUDE_LENGTH);
	body.copy(frame, PRELUDE_LENGTH + headers.length);
	const end = frame.length - CHECKSUM_LENGTH;
	frame.writeUInt32BE(crc32(frame.subarray(0, end)), end);
	return frame;
}

function toHeader(name, value) {
	const header = Buffer.alloc(1 + name.length + 3 + value.length);
	let at = header.writeUInt8(name.length, 0);
	at += header.write(name, at);
	at = header.writeUInt8(TEXT, at);
	at = header.writeUInt16BE(value.length, at);
	header.write(value, at);
	return header;
}
