import { readdirSync, readFileSync } from "node:fs";
import type { MessageHeaderValue } from "@smithy/eventstream-codec";
import { encodeEvent, encodePrelude } from "@stemma/simulators/bedrock";
import { vectorUrl } from "@stemma/simulators/vectors";
import { describe, expect, it } from "vitest";
import { createEventStreamReader, type EventMessage } from "./event-stream";

/** The vectors of AWS's SDKs (smithy-lang/smithy-typescript, `eventstream-codec`). */
const folder = vectorUrl("eventstream/");
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, folder)));
const list = (path: string): string[] => readdirSync(new URL(path, folder));

interface Decoded {
	readonly headers: readonly { readonly name: string; readonly value: unknown }[];
	readonly payload: string;
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const MESSAGE = encodeEvent({ ":message-type": "event", ":event-type": "x" }, '{"a":1}');

/** Values as the vectors write them: bytes, text and ids in base64, numbers and times as they are. */
function toShown({ type, value }: MessageHeaderValue): unknown {
	if (type === "string") return toBase64(new TextEncoder().encode(value));
	if (type === "uuid") return toBase64(Buffer.from(value.replaceAll("-", ""), "hex"));
	if (type === "binary") return toBase64(value);
	return type === "long" || type === "timestamp" ? value.valueOf() : value;
}

function pushAll(pieces: readonly Uint8Array[]) {
	const reader = createEventStreamReader();
	const messages: EventMessage[] = pieces.flatMap((piece) => reader.push(piece));
	return { messages, isDamaged: reader.isDamaged() };
}

function cut(bytes: Uint8Array, length: number): Uint8Array[] {
	const pieces: Uint8Array[] = [];
	for (let from = 0; from < bytes.length; from += length) pieces.push(bytes.slice(from, from + length));
	return pieces;
}

describe("the vectors of AWS's SDKs", () => {
	it("are complete", () => {
		expect([list("encoded/positive/").length, list("encoded/negative/").length]).toEqual([5, 4]);
	});

	it.each(list("encoded/positive/"))("%s is read", (name) => {
		const { headers, payload } = JSON.parse(
			Buffer.from(read(`decoded/positive/${name}`)).toString(),
		) as Decoded;
		const { messages, isDamaged } = pushAll([read(`encoded/positive/${name}`)]);
		const [message, ...others] = messages;
		expect([others, isDamaged]).toEqual([[], false]);
		expect(Object.keys(message?.headers ?? {})).toEqual(headers.map((header) => header.name));
		for (const { name: header, value } of headers) {
			const read = message?.headers[header];
			expect(read && toShown(read)).toEqual(value);
		}
		expect(toBase64(message?.body ?? new Uint8Array())).toBe(payload);
	});

	it.each(list("encoded/negative/"))("%s is damaged, wherever it is cut", (name) => {
		const bytes = read(`encoded/negative/${name}`);
		for (const length of [1, 3, bytes.length])
			expect(pushAll(cut(bytes, length))).toEqual({ messages: [], isDamaged: true });
	});
});

describe("a message is damaged at once", () => {
	it.each([
		["longer than any", encodePrelude(24 * 1024 * 1024 + 1, 0)],
		["shorter than its frame", encodePrelude(15, 0)],
		["with more headers than it is long", encodePrelude(100, 85)],
		["whose lengths have another checksum", Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4)],
	])("that is %s: the rest is not waited for", (_, prelude) => {
		expect(pushAll([prelude])).toEqual({ messages: [], isDamaged: true });
	});

	it("and those before it count", () => {
		const reader = createEventStreamReader();
		const damaged = Uint8Array.from(MESSAGE);
		damaged[20] = 0xff;
		expect(reader.push(Buffer.concat([MESSAGE, damaged, MESSAGE])).length).toBe(1);
		expect(reader.isDamaged()).toBe(true);
		expect(reader.push(MESSAGE)).toEqual([]);
		expect(reader.isDamaged()).toBe(true);
	});

	it("of the longest headers and body is none", () => {
		const long = encodeEvent({ a: "x".repeat(30_000) }, "y".repeat(23 * 1024 * 1024));
		expect(pushAll([long]).messages[0]?.body.length).toBe(23 * 1024 * 1024);
	});
});

it("gives nothing of a message that is not complete, wherever it ends", () => {
	for (let length = 0; length < MESSAGE.length; length++)
		expect(pushAll([MESSAGE, MESSAGE.subarray(0, length)])).toMatchObject({
			messages: { length: 1 },
			isDamaged: false,
		});
});

it("takes time in proportion to its length, however it is cut", () => {
	const length = 8 * 1024 * 1024;
	const long = new Uint8Array(encodeEvent({ ":message-type": "event" }, "z".repeat(length)));
	// Joined anew at each piece, it would copy 4 TiB, far beyond the time of a test.
	expect(pushAll(cut(long, 8)).messages[0]?.body.length).toBe(length);
	expect(pushAll([])).toEqual({ messages: [], isDamaged: false });
});

it.each([1, 2, 5])("copies what is left over: pieces of %i bytes may all come in one buffer", (size) => {
	const reader = createEventStreamReader();
	const buffer = new Uint8Array(size);
	const bodies: string[] = [];
	for (const piece of cut(Buffer.concat([MESSAGE, MESSAGE]), size)) {
		buffer.set(piece);
		bodies.push(...reader.push(buffer.subarray(0, piece.length)).map(({ body }) => toBase64(body.slice())));
	}
	expect(bodies).toEqual([toBase64(Buffer.from('{"a":1}')), toBase64(Buffer.from('{"a":1}'))]);
	expect(reader.isDamaged()).toBe(false);
});

it("leaves alone what it gave", () => {
	const texts = ["first", "other", "third", "again"];
	const stream = Buffer.concat(texts.map((text) => encodeEvent({ a: text }, text)));
	for (let size = 1; size < stream.length; size++) {
		const { messages } = pushAll(cut(stream, size));
		expect(messages.map(({ body }) => Buffer.from(body).toString())).toEqual(texts);
	}
});

it("makes no room for what a message claims to be", () => {
	const before = process.memoryUsage().arrayBuffers;
	const reader = createEventStreamReader();
	for (const byte of encodePrelude(24 * 1024 * 1024, 0)) reader.push(Uint8Array.of(byte));
	reader.push(new Uint8Array(1000));
	expect(reader.isDamaged()).toBe(false);
	expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
});

it("reads headers alike, those of the message before or others", () => {
	const names = ["event", "evenx", "exent", "tvene", "é", "", "x".repeat(100), "\0\0"];
	const reader = createEventStreamReader();
	for (let round = 0; round < 3; round++)
		for (const name of names) {
			const [message] = reader.push(new Uint8Array(encodeEvent({ [`n${name}`]: name }, "")));
			expect(message?.headers[`n${name}`]?.value).toBe(name);
		}
	for (let index = 0; index < 200; index++) {
		const [message] = reader.push(new Uint8Array(encodeEvent({ key: `value ${index}` }, "")));
		expect(message?.headers.key?.value).toBe(`value ${index}`);
	}
});

it("reads headers alike where one buffer is used again", () => {
	const reader = createEventStreamReader();
	const buffer = new Uint8Array(encodeEvent({ key: "abcde" }, ""));
	expect(reader.push(buffer)[0]?.headers.key?.value).toBe("abcde");
	buffer.set(encodeEvent({ key: "abxde" }, ""));
	expect(reader.push(buffer)[0]?.headers.key?.value).toBe("abxde");
});
