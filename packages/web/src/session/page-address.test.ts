import { describe, expect, it } from "vitest";
import { findPageAddress } from "./page-address";

describe("the address of the page", () => {
	it.each([
		["http://127.0.0.1:4000/#sign-in=sl_1", "http://localhost:4000/#sign-in=sl_1"],
		["http://127.0.0.1/", "http://localhost/"],
		["http://[::1]:4000/#/ask", "http://localhost:4000/#/ask"],
		["http://0.0.0.0:4000/", "http://localhost:4000/"],
	])("is another one for %s", (address, expected) => {
		expect(findPageAddress(address)).toBe(expected);
	});

	it.each([
		"http://localhost:4000/#sign-in=sl_1",
		"https://127.0.0.1:4000/",
		"https://kb.example/#sign-in=sl_1",
		"http://127.0.0.1.kb.example/",
	])("stays %s", (address) => {
		expect(findPageAddress(address)).toBeUndefined();
	});
});
