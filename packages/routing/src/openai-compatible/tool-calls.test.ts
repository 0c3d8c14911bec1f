import { describe, expect, it } from "vitest";
import { mergeToolCall, toToolCalls } from "./tool-calls";

const piece = (name: string | undefined, text: unknown, rest: object = {}) => ({
	...rest,
	function: { name, arguments: text },
});
const merge = (...pieces: unknown[]) =>
	toToolCalls(pieces.reduce<ReturnType<typeof mergeToolCall>>(mergeToolCall, []), undefined, "h", false);

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
		const vendorData = { vendorHost: "h", call: signed };
		const [name, text] = [{ index: 0, id: "1" }, { index: 0 }];
		expect(merge(piece("a", "{", { ...name, ...signed }), piece(undefined, "}", text))).toMatchObject([
			{ vendorData },
		]);
		expect(merge(piece("a", "{", name), piece(undefined, "}", { ...text, ...signed }))).toMatchObject([
			{ vendorData },
		]);
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
	const calls = [piece("a", "", { id: "1" }), piece("b", "", { id: "2" })].reduce<
		ReturnType<typeof mergeToolCall>
	>(mergeToolCall, []);
	const textsOf = (isCutOff: boolean): string[] =>
		toToolCalls(calls, undefined, "h", isCutOff).map((call) => call.arguments);
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
