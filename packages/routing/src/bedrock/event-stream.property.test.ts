import { crc32 } from "node:zlib";
import {
	EventStreamCodec,
	HeaderMarshaller,
	Int64,
	type MessageHeaders,
	type MessageHeaderValue,
} from "@smithy/eventstream-codec";
import { encodePrelude } from "@stemma/simulators/bedrock";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type DecodedEvent, decodeEvent } from "../test-support/decode-event";
import { createEventStreamReader, type EventMessage } from "./event-stream";

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
// AWS's codec makes no header of the one name that objects treat in their own way.
const name = fc.string({ maxLength: 60 }).filter((each) => each !== "__proto__");
const headers: fc.Arbitrary<MessageHeaders> = fc.dictionary(name, header, { noNullPrototype: true });
const body = fc.uint8Array({ maxLength: 300 });

function readOne(bytes: Uint8Array): EventMessage | undefined {
	return createEventStreamReader().push(bytes)[0];
}

/** Headers by name, as type and bytes: what both readers agree on. The last of one name counts. */
function toComparable(message: EventMessage): unknown {
	const values = Object.entries(message.headers).map(([key, value]) => {
		const bytes = marshaller.format({ [key]: value });
		return [key, [...bytes.subarray(1 + TEXT_CODEC[1](key).length)]] as const;
	});
	return { headers: Object.fromEntries(values), body: [...message.body] };
}

function toExpected({ headers: decoded, body: payload }: DecodedEvent): unknown {
	const values = decoded.map(([key, type, value]) => {
		const length = type === 6 || type === 7 ? [value.length >> 8, value.length & 0xff] : [];
		return [key, [type, ...length, ...value]] as const;
	});
	return { headers: Object.fromEntries(values), body: [...payload] };
}

it("reads headers of all types, and the body", () => {
	fc.assert(
		fc.property(headers, body, (written, payload) => {
			const bytes = codec.encode({ headers: written, body: payload });
			const [message, expected] = [readOne(bytes), decodeEvent(bytes)];
			expect(message && toComparable(message)).toEqual(expected && toExpected(expected));
			expect(message).toBeDefined();
		}),
	);
});

/** Encloses bytes in a message whose checksums are right, whatever the bytes are. */
function enclose(section: Uint8Array, payload: Uint8Array): Uint8Array {
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
function applyDamage(bytes: Uint8Array, { at, removed, added }: Damage): Uint8Array {
	const from = at % (bytes.length + 1);
	return Uint8Array.from([...bytes.subarray(0, from), ...added, ...bytes.subarray(from + removed)]);
}

/** Counts both outcomes: an invariant about nothing would hold as well. */
const createCounts = () => ({ rejected: 0, accepted: 0 });

it("reads a message if its headers end where they should, under checksums that are right", () => {
	const counts = createCounts();
	fc.assert(
		fc.property(headers, body, damage, (written, payload, damaged) => {
			const bytes = enclose(applyDamage(marshaller.format(written), damaged), payload);
			const [message, expected] = [readOne(bytes), decodeEvent(bytes)];
			counts[expected === undefined ? "rejected" : "accepted"] += 1;
			expect(message?.body).toEqual(expected?.body);
			// Not the values: text that is not UTF-8 cannot be written again as it was read.
			expect(message && Object.keys(message.headers)).toEqual(
				expected && Object.keys(Object.fromEntries(expected.headers.map(([key]) => [key, 0]))),
			);
		}),
		{ numRuns: 1000 },
	);
	expect(Math.min(counts.rejected, counts.accepted)).toBeGreaterThan(100);
});

it("rejects messages that were changed on the way", () => {
	const counts = createCounts();
	fc.assert(
		fc.property(headers, body, damage, (written, payload, damaged) => {
			const bytes = applyDamage(codec.encode({ headers: written, body: payload }), damaged);
			const message = readOne(bytes);
			counts[message === undefined ? "rejected" : "accepted"] += 1;
			expect(message === undefined).toBe(decodeEvent(bytes) === undefined);
		}),
		{ numRuns: 300 },
	);
	expect(counts.rejected).toBeGreaterThan(100);
});
