import { readFileSync } from "node:fs";
import { vectorUrl } from "@stemma/simulators/vectors";
import { describe, expect, test } from "vitest";
import { StemmaError } from "./errors";
import { createSseReader, type SseEvent } from "./sse";

interface Vector {
	readonly name: string;
	readonly input_b64: string;
	readonly events: readonly SseEvent[];
	/** `null`: none. Left out, as `final_last_event_id` is, where the vector says nothing of it. */
	readonly retry?: number | null;
	readonly final_last_event_id?: string;
}

const file = vectorUrl("sse/vectors.json");
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vector[];

interface Reading {
	readonly events: readonly SseEvent[];
	readonly lastEventId: string;
	readonly retryMs: number | undefined;
}

function read(chunks: Iterable<Uint8Array | string>): Reading {
	const reader = createSseReader();
	const events = [...chunks].flatMap((chunk) => reader.push(chunk));
	return { events, lastEventId: reader.lastEventId, retryMs: reader.retryMs };
}

const single = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));

test("there are 31 vectors", () => expect(vectors).toHaveLength(31));

describe.each(vectors)("$name", ({ input_b64, events, retry, final_last_event_id }) => {
	const bytes = new Uint8Array(Buffer.from(input_b64, "base64"));
	const expected = {
		events,
		...(final_last_event_id === undefined ? {} : { lastEventId: final_last_event_id }),
		...(retry === undefined ? {} : { retryMs: retry ?? undefined }),
	};

	test("whole", () => expect(read([bytes])).toMatchObject(expected));
	test("byte by byte", () => expect(read(single(bytes))).toMatchObject(expected));
	test("in every two parts", () => {
		for (let cut = 0; cut <= bytes.length; cut++)
			expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toMatchObject(expected);
	});
	test("as text, whole, in every two parts and by character", () => {
		const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
		expect(read([text])).toMatchObject(expected);
		expect(read(text.split(""))).toMatchObject(expected);
		for (let cut = 0; cut <= text.length; cut++)
			expect(read([text.slice(0, cut), text.slice(cut)])).toMatchObject(expected);
	});
});

const message = (data: string, lastEventId = ""): SseEvent => ({ event: "message", data, lastEventId });

describe("the rules of the standard", () => {
	const rules: Record<string, [string, readonly SseEvent[]]> = {
		"data alone gives an event with no text": ["data\n\n", [message("")]],
		"two lines of data alone give a line feed": ["data\ndata\n\n", [message("\n")]],
		"one space after the colon is taken off": ["data:  a \n\n", [message(" a ")]],
		"field names are case-sensitive": ["Data: a\nDATA: b\n data: c\n\n", []],
		"a line with a colon first is a comment": [":data: a\n: \n:\n\n", []],
		"the value goes on after the first colon": ["data:a:b\n\n", [message("a:b")]],
		"an event type without data is forgotten": ["event: a\n\ndata: b\n\n", [message("b")]],
		"an id counts without data": ["id: 7\n\ndata: b\n\n", [message("b", "7")]],
		"an id stays until the next": ["id: 7\ndata: a\n\ndata: b\n\n", [message("a", "7"), message("b", "7")]],
		"an empty id resets it": ["id: 7\ndata: a\n\nid\ndata: b\n\n", [message("a", "7"), message("b")]],
		"an id with NUL is ignored": ["id: 7\n\nid: 8\0\ndata: a\n\n", [message("a", "7")]],
		"the last event type counts": ["event: a\nevent: b\ndata: c\n\n", [{ ...message("c"), event: "b" }]],
		"an empty event type is message": ["event: a\nevent\ndata: c\n\n", [message("c")]],
		"the end of the stream discards the last event": ["data: a\n\ndata: b\n", [message("a")]],
		"a lone CR ends a line at once": ["data: a\r\r", [message("a")]],
		"CR, LF and CR LF may be mixed": [
			"data: a\r\n\ndata: b\r\rdata: c\n\r\n",
			["a", "b", "c"].map((data) => message(data)),
		],
		"a second byte order mark is text": ["\uFEFF\uFEFFdata: a\n\ndata: b\n\n", [message("b")]],
		"a later byte order mark is text": ["data: a\n\n\uFEFFdata: b\n\n", [message("a")]],
		"other line separators are text": ["data: a\u2028b\u0085c\vd\n\n", [message("a\u2028b\u0085c\vd")]],
	};
	test.each(Object.entries(rules))("%s", (_, [text, events]) => {
		expect(read([text]).events).toEqual(events);
		expect(read(single(new TextEncoder().encode(text))).events).toEqual(events);
	});

	test("an id that was cut off does not count", () => {
		expect(read(["id: 1\ndata: a\n\nid: 2\ndata: b\n"]).lastEventId).toBe("1");
	});
	test.each([
		["retry: 03000", 3000],
		["retry: 0", 0],
		["retry: 1e3", undefined],
		["retry: -1", undefined],
		["retry: ٣", undefined],
		["retry:", undefined],
		["retry:  1", undefined],
	])("%s", (line, retryMs) => expect(read([`${line}\n\n`]).retryMs).toBe(retryMs));
	test("invalid bytes are replaced", () => {
		const bytes = Uint8Array.of(...new TextEncoder().encode("data: "), 0xff, 0x0a, 0x0a);
		expect(read([bytes]).events).toEqual([message("\uFFFD")]);
	});
	test("an event is given as soon as its last byte is there", () => {
		const reader = createSseReader();
		expect(reader.push("data: a\r\n")).toEqual([]);
		expect(reader.push("\r")).toEqual([message("a")]);
		expect(reader.push("\ndata: b\n\n")).toEqual([message("b")]);
	});
	test("empty chunks change nothing", () => {
		expect(read(["", new Uint8Array(), "\uFEFF", "", "data: a\r", "", "\n\r", "", "\n"]).events).toEqual([
			message("a"),
		]);
	});
});

describe("maxEventLength", () => {
	const tooLarge = (chunks: readonly string[]): boolean => {
		const reader = createSseReader({ maxEventLength: 10 });
		try {
			for (const chunk of chunks) reader.push(chunk);
		} catch (error) {
			if (StemmaError.is(error) && error.code === "sse_event_too_large") return true;
			throw error;
		}
		return false;
	};
	const cases: Record<string, [string, boolean]> = {
		"a line of the length": ["data:12345\n\n", false],
		"a longer line of data": ["data:123456\n\n", true],
		"a longer comment": [":1234567890\n", true],
		"a longer id": ["id:12345678\n", true],
		"a line without an end": ["data:123456", true],
		"data in many lines": ["data:123\ndata:123\ndata:123\n\n", true],
		"many events": ["data:123\n\n".repeat(10), false],
		"many lines of nothing": ["data\n".repeat(11), true],
	};
	test.each(Object.entries(cases))("%s", (_, [text, expected]) => {
		expect(tooLarge([text])).toBe(expected);
		expect(tooLarge(text.split(""))).toBe(expected);
	});
});

describe("large streams in small parts", () => {
	const cut = (text: string, size: number): Uint8Array[] => {
		const bytes = new TextEncoder().encode(text);
		const count = Math.ceil(bytes.length / size);
		return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
	};
	test("an event of 4 MB in one line, 7 bytes at a time", () => {
		const data = "aé€😀".repeat(400_000);
		const events = read(cut(`data: ${data}\n\n`, 7)).events;
		expect(events).toHaveLength(1);
		expect(events[0]?.data === data).toBe(true);
	});
	test("an event of 200,000 lines with CR alone, 7 bytes at a time", () => {
		const events = read(cut(`${"data:é\r".repeat(200_000)}\r`, 7)).events;
		expect(events).toHaveLength(1);
		expect(events[0]?.data === Array(200_000).fill("é").join("\n")).toBe(true);
	});
	test("100,000 events in one chunk", () => {
		expect(read(["data: a\n\n".repeat(100_000)]).events).toHaveLength(100_000);
	});
});
