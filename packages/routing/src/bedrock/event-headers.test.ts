import { crc32 } from "node:zlib";
import {
	EventStreamCodec,
	HeaderMarshaller,
	Int64,
	type MessageHeaders,
	type MessageHeaderValue,
} from "@smithy/eventstream-codec";
import fc from "fast-check";
import { expect, it } from "vitest";
import { encodePrelude } from "../../../../tools/simulators/bedrock/encode-event";
import { createEventStreamReader, type EventMessage } from "./event-stream";

/** AWS's own codec, which takes one message at a time. */
const TEXT_CODEC = [
	(bytes: string | Uint8Array) => (typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)),
	(text: string) => new TextEncoder().encode(text),
] as const;
const codec = new EventStreamCodec(...TEXT_CODEC);
const marshaller = new HeaderMarshaller(...TEXT_CODEC);

const integer = (bits: number) => ({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
const text = fc.string({ unit: "binary", maxLength: 80 });
const header: fc.Arbitrary<MessageHeaderValue> = fc.oneof(
	fc.boolean().map((value) => ({ type: "boolean", value }) as const),
	fc.integer(integer(8)).map((value) => ({ type: "byte", value }) as const),
	fc.integer(integer(16)).map((value) => ({ type: "short", value }) as const),
	fc.integer(integer(32)).map((value) => ({ type: "integer", value }) as const),
	fc.maxSafeInteger().map((value) => ({ type: "long", value: Int64.fromNumber(value) }) as const),
	fc.uint8Array({ maxLength: 300 }).map((value) => ({ type: "binary", value }) as const),
	text.map((value) => ({ type: "string", value }) as const),
	fc.date({ noInvalidDate: true }).map((value) => ({ type: "timestamp", value }) as const),
	fc.uuid().map((value) => ({ type: "uuid", value }) as const),
);
// Neither reader makes a header of the one name that objects treat in their own way.
const name = fc.string({ maxLength: 60 }).filter((each) => each !== "__proto__");
const headers: fc.Arbitrary<MessageHeaders> = fc.dictionary(name, header, { noNullPrototype: true });
const body = fc.uint8Array({ maxLength: 300 });

interface Read {
	readonly isDamaged: boolean;
	readonly messages: readonly EventMessage[];
}

function readOurs(bytes: Uint8Array): Read {
	const reader = createEventStreamReader();
	const messages = reader.push(bytes);
	return { messages, isDamaged: reader.isDamaged() };
}

/** Values as they are read here: text, or else the bytes that stand behind the name, the type, and maybe a length. */
function toValue([key, value]: readonly [string, MessageHeaderValue]): string | Uint8Array {
	if (value.type === "string") return TEXT_CODEC[0](TEXT_CODEC[1](value.value));
	const from = TEXT_CODEC[1](key).length + (value.type === "binary" ? 4 : 2);
	return Uint8Array.from(marshaller.format({ [key]: value }).subarray(from));
}

const toShown = ({ headers: read, body: payload }: EventMessage) => ({
	headers: Object.entries(read).map(([key, value]) => [
		key,
		typeof value === "string" ? value : [...(value ?? [])],
	]),
	body: [...payload],
});
const toExpected = (written: MessageHeaders, payload: Uint8Array) =>
	toShown({
		headers: Object.fromEntries(Object.entries(written).map((entry) => [entry[0], toValue(entry)])),
		body: payload,
	});

it("reads what AWS's codec writes: all types of headers, and the body", () => {
	fc.assert(
		fc.property(headers, body, (written, payload) => {
			const { messages, isDamaged } = readOurs(codec.encode({ headers: written, body: payload }));
			expect(isDamaged).toBe(false);
			expect(messages.map(toShown)).toEqual([toExpected(written, payload)]);
		}),
	);
});

/** The same bytes with checksums that fit, whatever stands between. */
function seal(section: Uint8Array, payload: Uint8Array): Uint8Array {
	const prelude = encodePrelude(16 + section.length + payload.length, section.length);
	const checked = Buffer.concat([prelude, section, payload]);
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(checked));
	return new Uint8Array(Buffer.concat([checked, sum]));
}

interface Damage {
	readonly at: number;
	readonly removed: number;
	readonly added: Uint8Array;
}
const damage: fc.Arbitrary<Damage> = fc.record({
	at: fc.nat(400),
	removed: fc.nat(3),
	added: fc.uint8Array({ maxLength: 3 }),
});
function spoil(bytes: Uint8Array, { at, removed, added }: Damage): Uint8Array {
	const from = at % (bytes.length + 1);
	return Uint8Array.from([...bytes.subarray(0, from), ...added, ...bytes.subarray(from + removed)]);
}

/** How often each of the two outcomes was seen: a law about nothing would hold as well. */
function compare(bytes: Uint8Array, seen: { refused: number; taken: number }): void {
	const { messages } = readOurs(bytes);
	const [message] = messages;
	if (message === undefined) {
		seen.refused += 1;
		return;
	}
	seen.taken += 1;
	const length = Buffer.from(bytes).readUInt32BE();
	// Throws for what it refuses.
	const decoded = codec.decode(bytes.subarray(0, length));
	const texts = Object.entries(decoded.headers).map(([key, { type, value }]) => [
		key,
		type === "string" ? value : "",
	]);
	expect(
		Object.entries(message.headers).map(([key, value]) => [key, typeof value === "string" ? value : ""]),
	).toEqual(texts);
	expect(message.body).toEqual(decoded.body);
}

it("refuses what AWS's codec refuses: headers that are damaged, under checksums that fit", () => {
	const seen = { refused: 0, taken: 0 };
	fc.assert(
		fc.property(headers, body, damage, (written, payload, spoilt) => {
			compare(seal(spoil(marshaller.format(written), spoilt), payload), seen);
		}),
		{ numRuns: 1000 },
	);
	expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(100);
});

it("refuses what AWS's codec refuses: whole messages that are damaged", () => {
	const seen = { refused: 0, taken: 0 };
	fc.assert(
		fc.property(headers, body, damage, (written, payload, spoilt) => {
			compare(spoil(codec.encode({ headers: written, body: payload }), spoilt), seen);
		}),
		{ numRuns: 300 },
	);
	expect(seen.refused).toBeGreaterThan(100);
});
