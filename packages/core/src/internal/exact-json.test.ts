import { describe, expect, it } from "vitest";
import { toExactJson } from "./exact-json";

describe("exact JSON", () => {
	it("writes what cannot be seen as escapes", () => {
		const value = { to: "a\u202eb\u200bc\u{e0061}d\u00a0\u2028\u0007" };
		expect(toExactJson(value)).toBe('{\n  "to": "a\\u202eb\\u200bc\\udb40\\udc61d\\u00a0\\u2028\\u0007"\n}');
		expect(JSON.parse(toExactJson(value))).toEqual(value);
	});

	it("leaves all that can be seen as it is", () => {
		expect(toExactJson(["Grüße, 東京, שלום, ✅"])).toBe('[\n  "Grüße, 東京, שלום, ✅"\n]');
	});
});
