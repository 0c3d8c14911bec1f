import type { A2aPart } from "@stemma/client/a2a";
import { expect, it } from "vitest";
import { toRunInput } from "./to-run-input";

it.each<[string, A2aPart[], unknown]>([
	["a text", [{ text: "hi" }], "hi"],
	["an empty text", [{ text: "" }], ""],
	["texts", [{ text: "a" }, { text: "b", mediaType: "text/markdown" }], "a\nb"],
	["data", [{ data: { query: "x" } }], { query: "x" }],
	["data that is a text", [{ data: "x" }], "x"],
	[
		"messages",
		[{ data: { messages: [{ role: "user", content: "x" }] } }],
		{ messages: [{ role: "user", content: "x" }] },
	],
	["several data", [{ data: { a: 1 } }, { data: [2] }], [{ a: 1 }, [2]]],
	[
		"text and data",
		[{ text: "Sum up:" }, { data: { a: [1, 2] } }, { text: "Thanks." }],
		'Sum up:\n{"a":[1,2]}\nThanks.',
	],
])("takes %s", (_, parts, input) => {
	expect(toRunInput({ parts })).toEqual(input);
});

it.each<[A2aPart, string]>([
	[
		{ raw: "AAAA", filename: "scan.pdf", mediaType: "application/pdf" },
		"message.parts[1].raw: Files are not supported (scan.pdf, application/pdf).",
	],
	[{ url: "https://a.example/x.png" }, "message.parts[1].url: Files are not supported."],
])("refuses %j by name", (file, message) => {
	expect(() => toRunInput({ parts: [{ text: "hi" }, file] })).toThrow(
		expect.objectContaining({ reason: "CONTENT_TYPE_NOT_SUPPORTED", message, param: "message.parts[1]" }),
	);
});
