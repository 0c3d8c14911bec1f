import fc from "fast-check";
import { expect, test } from "vitest";
import { locateJsonError } from "./locate-json-error";

test.each([
	["", "it is empty (line 1, column 1)"],
	["  ", "it is empty (line 1, column 3)"],
	["{", "it ends too early (line 1, column 2)"],
	['{"a":1,}', "a property name in double quotes is expected (line 1, column 8)"],
	["{a:1}", "a property name in double quotes or } is expected (line 1, column 2)"],
	['{"a" 1}', "a colon is expected (line 1, column 6)"],
	['{"a":}', "a value is expected (line 1, column 6)"],
	['{"a":1 "b":2}', "a comma or } is expected (line 1, column 8)"],
	["[1 2]", "a comma or ] is expected (line 1, column 4)"],
	["[1,]", "a value is expected (line 1, column 4)"],
	["[,1]", "a value or ] is expected (line 1, column 2)"],
	["[1}", "a comma or ] is expected (line 1, column 3)"],
	["1 2", "the end is expected, but more follows (line 1, column 3)"],
	["01", "a value is expected (line 1, column 1)"],
	["nul", "a value is expected (line 1, column 1)"],
	['{"a":"x\ny"}', "a control character in a string must be escaped (line 1, column 8)"],
	['["\\x"]', "a backslash is followed by an unknown escape (line 1, column 3)"],
	['["\\u12"]', "a backslash is followed by an unknown escape (line 1, column 3)"],
	['["abc', "a string has no closing quote (line 1, column 2)"],
	['{"a" "b', "a colon is expected (line 1, column 6)"],
	["[-]", "a value or ] is expected (line 1, column 2)"],
	["[True]", "a value or ] is expected (line 1, column 2)"],
	["{} {}", "the end is expected, but more follows (line 1, column 4)"],
	["// note\n{}", "a value is expected (line 1, column 1)"],
	['{"a": 1,\r\n\r\n"b" 2}', "a colon is expected (line 3, column 5)"],
	["{\n\t\"a\": 'b'}", "a value is expected (line 2, column 7)"],
])("%j: %s", (text, message) => {
	expect(() => JSON.parse(text)).toThrow();
	expect(locateJsonError(text).message).toBe(message);
});

test("finds a fault in whatever JSON.parse refuses, and no earlier than valid JSON ends", () => {
	fc.assert(
		fc.property(
			fc.json(),
			fc.nat(),
			fc.constantFrom(",", "}", "]", '"', ":", "x", "\\", "-"),
			(json, at, extra) => {
				const splitAt = at % (json.length + 1);
				const text = json.slice(0, splitAt) + extra + json.slice(splitAt);
				let isJson = true;
				try {
					JSON.parse(text);
				} catch {
					isJson = false;
				}
				fc.pre(!isJson);
				const { position, message } = locateJsonError(text);
				expect(position).toBeLessThanOrEqual(text.length);
				// What stands before the fault can still become JSON: putting the rest of the valid text there mends it.
				if (message.startsWith("it ends too early")) expect(position).toBe(text.length);
				else expect(position).toBeLessThan(text.length);
			},
		),
	);
});

test("takes time that grows with the length only", () => {
	const before = process.threadCpuUsage();
	locateJsonError(`["${"a".repeat(2_000_000)}`);
	locateJsonError("[".repeat(1_000_000));
	locateJsonError(" ".repeat(2_000_000));
	expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000);
});
