import { describe, expect, it } from "vitest";
import { cloneJson, type Json } from "./json";

describe("cloneJson", () => {
	it("copies all that a change could reach, frozen or not", () => {
		const original: Json = Object.freeze({ list: Object.freeze([1, Object.freeze({ a: null })]), text: "b" });
		const copy = cloneJson(original);
		expect(copy).toEqual(original);
		Object.assign(copy, { text: "c" });
		(copy.list as Json[]).push(2);
		Object.assign((copy.list as Json[])[1] as object, { a: 1 });
		expect(original).toEqual({ list: [1, { a: null }], text: "b" });
	});

	it.each([null, true, 0, "", "text", [[]], {}])("gives %j as it is", (value) => {
		expect(cloneJson<Json>(value)).toEqual(value);
	});

	it("keeps a key `__proto__` a key", () => {
		const original: Json = JSON.parse('{"__proto__":{"isAdmin":true},"a":{"__proto__":[1]}}');
		const copy = cloneJson(original);
		expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true},"a":{"__proto__":[1]}}');
		expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
		expect(copy).not.toHaveProperty("isAdmin");
	});
});
