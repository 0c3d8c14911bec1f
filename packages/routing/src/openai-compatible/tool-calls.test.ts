import { describe, expect, it, vi } from "vitest";
import { mergeToolCall, toToolCalls } from "./tool-calls";

const piece = (name: string | undefined, text: unknown, rest: object = {}) => ({
	...rest,
	function: { name, arguments: text },
});
const ORIGIN = { baseUrl: "https://models.example/v1", model: "m" };
const open = (pieces: readonly unknown[], isComplete = false) =>
	pieces.reduce<ReturnType<typeof mergeToolCall>>(
		(calls, wire) => mergeToolCall(calls, wire, isComplete),
		[],
	);
const merge = (...pieces: unknown[]) => toToolCalls(open(pieces), undefined, ORIGIN, false);
const toFinishedCalls = (...entries: unknown[]) => toToolCalls(open(entries, true), undefined, ORIGIN, false);

describe("pieces of calls", () => {
	it("belong to the call of their index, in any order", () => {
		expect(
			merge(
				piece("a", "", { index: 0, id: "1" }),
				piece("b", '{"x"', { index: 1, id: "2" }),
				piece(undefined, "{}", { index: 0 }),
				piece(undefined, ":1}", { index: 1 }),
			),
		).toEqual([
			{ id: "1", name: "a", arguments: "{}" },
			{ id: "2", name: "b", arguments: '{"x":1}' },
		]);
	});

	it("begin another call with another name and id, though every call is counted as 0", () => {
		const pieces = [piece("a", "", { index: 0, id: "1" }), piece("b", "{}", { index: 0, id: "2" })];
		expect(merge(...pieces)).toMatchObject([{ id: "1" }, { id: "2" }]);
	});

	it("belong to the last call where there is neither index nor id", () => {
		expect(merge(piece("a", "{", { id: "1" }), piece(undefined, "}"))).toEqual([
			{ id: "1", name: "a", arguments: "{}" },
		]);
	});

	it("belong to the call of their id where there is no index", () => {
		expect(
			merge(piece("a", "{", { id: "1" }), piece("b", "{}", { id: "2" }), piece("a", "}", { id: "1" })),
		).toMatchObject([
			{ id: "1", arguments: "{}" },
			{ id: "2", arguments: "{}" },
		]);
	});

	it("go on with a call whose id is made anew for each piece", () => {
		const pieces = [piece("a", "{", { index: 0, id: "1" }), piece(undefined, "}", { index: 0, id: "2" })];
		expect(merge(...pieces)).toEqual([{ id: "1", name: "a", arguments: "{}" }]);
	});

	it("may repeat name and id", () => {
		const again = { index: 0, id: "1" };
		expect(merge(piece("a", "{}", again), piece("a", "", again))).toEqual([
			{ id: "1", name: "a", arguments: "{}" },
		]);
	});

	it("keep what the vendor wants back, whichever piece it comes with", () => {
		const signed = { extra_content: { google: { thought_signature: "c2ln" } } };
		const providerMetadata = { hash: expect.any(Number), model: "m", call: signed };
		const [name, text] = [{ index: 0, id: "1" }, { index: 0 }];
		expect(merge(piece("a", "{", { ...name, ...signed }), piece(undefined, "}", text))).toMatchObject([
			{ providerMetadata },
		]);
		expect(merge(piece("a", "{", name), piece(undefined, "}", { ...text, ...signed }))).toMatchObject([
			{ providerMetadata },
		]);
	});

	it("begin another call with another name, whatever they are counted as", () => {
		const counted = { index: 0, id: "1" };
		expect(merge(piece("a", "", counted), piece("b", "{}", counted))).toMatchObject([
			{ name: "a", arguments: "{}" },
			{ name: "b", arguments: "{}" },
		]);
		expect(merge(piece("a", "", { index: 0, id: "" }), piece("b", "{}", { index: 0, id: "" }))).toHaveLength(
			2,
		);
	});

	it("begin another call behind complete arguments, with the same id too where there is no index", () => {
		const same = { id: "faq" };
		const pieces = [
			piece("faq", '{"x":"}', same),
			piece("faq", '{\\""}', same),
			piece("faq", '{"x":2}', same),
		];
		expect(merge(...pieces).map((call) => call.arguments)).toEqual(['{"x":"}{\\""}', '{"x":2}']);
		const uncounted = { index: 0 };
		const repeated = [piece("a", "{", uncounted), piece("a", "}", uncounted), piece("a", "", uncounted)];
		expect(merge(...repeated, piece("a", "{}", uncounted))).toHaveLength(2);
	});

	it("are counted by digits too", () => {
		expect(
			merge(
				piece("a", '{"x"', { index: "0", id: "1" }),
				piece("b", '{"y"', { index: "1", id: "2" }),
				piece(undefined, ":1}", { index: "0" }),
				piece(undefined, ":2}", { index: "1" }),
			),
		).toMatchObject([{ arguments: '{"x":1}' }, { arguments: '{"y":2}' }]);
	});

	it("begin nothing where they say nothing", () => {
		expect(open([{ index: 0 }, piece("", "", { index: 1, id: "" }), { extra_content: {} }])).toEqual([]);
	});

	it("are not read anew for each piece", () => {
		const parse = vi.spyOn(JSON, "parse");
		const rest = Array.from({ length: 50 }, () => piece("a", "}", { index: 0 }));
		expect(merge(piece("a", '{"x":"', { index: 0 }), ...rest)).toHaveLength(1);
		expect(parse).not.toHaveBeenCalled();
		parse.mockRestore();
	});

	it("may hold arguments as an object, or none", () => {
		expect(merge(piece("a", { x: 1 }), piece("b", undefined), piece("c", null))).toMatchObject([
			{ name: "a", arguments: '{"x":1}' },
			{ name: "b", arguments: "{}" },
			{ name: "c", arguments: "{}" },
		]);
	});
});

it("leaves the last call as it came where the answer was cut off", () => {
	const calls = open([piece("a", "", { id: "1" }), piece("b", "", { id: "2" })]);
	const textsOf = (isCutOff: boolean): string[] =>
		toToolCalls(calls, undefined, ORIGIN, isCutOff).map((call) => call.arguments);
	expect([textsOf(true), textsOf(false)]).toEqual([
		["{}", ""],
		["{}", "{}"],
	]);
});

it("gives each call an id of its own, and leaves out calls of nothing", () => {
	const calls = merge(
		piece("a", "{}", { index: 0, id: "same" }),
		piece("b", "{}", { index: 1, id: "same" }),
		piece("c", "{}", { index: 2 }),
		piece(undefined, "{}", { index: 3 }),
		null,
	);
	expect(calls.map(({ id }) => id)).toEqual(["same", "call_2_b", "call_3_c"]);
});

it("gives no call the id of another", () => {
	const ids = (...givenId: string[]): string[] =>
		toFinishedCalls(...givenId.map((id) => piece("a", "{}", { id }))).map(({ id }) => id);
	expect(ids("call_2_a", "")).toEqual(["call_2_a", "call_2_a_"]);
	expect(ids("", "call_1_a")).toEqual(["call_1_a_", "call_1_a"]);
});

it("takes each entry of a whole message for a call", () => {
	const same = { index: 0, id: "0" };
	expect(toFinishedCalls(piece("a", '{"x":1}', same), piece("a", '{"x":2}', same))).toEqual([
		{ id: "0", name: "a", arguments: '{"x":1}' },
		{ id: "call_2_a", name: "a", arguments: '{"x":2}' },
	]);
});
