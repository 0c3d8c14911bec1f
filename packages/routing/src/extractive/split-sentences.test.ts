import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "./split-sentences";

const split = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe("splitSentences", () => {
	it.each([
		["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
		["Dr. Smith paid 3.50 for it. He left.", ["Dr. Smith paid 3.50 for it.", "He left."]],
		["Use httpd.conf, e.g. in No. 5, p. 12. Done.", ["Use httpd.conf, e.g. in No. 5, p. 12.", "Done."]],
		["The answer is no. Then 5 left.", ["The answer is no.", "Then 5 left."]],
		["J. R. Tolkien wrote it. So did I. He won.", ["J. R. Tolkien wrote it.", "So did I.", "He won."]],
		[
			"Am 3. Oktober, z.B. um 5. Das war 2016. Ende.",
			["Am 3. Oktober, z.B. um 5.", "Das war 2016.", "Ende."],
		],
		['He said "Stop." Then (he left.) Bye', ['He said "Stop."', "Then (he left.)", "Bye"]],
		["Wait... what? Well… Yes.", ["Wait... what?", "Well…", "Yes."]],
		["今日は雨です。明日は？「晴れ。」終", ["今日は雨です。", "明日は？", "「晴れ。」", "終"]],
		["- one\n- two, three\n\n1. four", ["- one", "- two, three", "1. four"]],
		["It rained.[2] It stopped.[3, 4] End.", ["It rained.[2]", "It stopped.[3, 4]", "End."]],
		["¿Cuánto? ¡Mucho! Sí.", ["¿Cuánto?", "¡Mucho!", "Sí."]],
		["Առաջին։ Երկրորդ։", ["Առաջին։", "Երկրորդ։"]],
		["ሰላም ነው። እሺ፧ አዎ", ["ሰላም ነው።", "እሺ፧", "አዎ"]],
		["ပထမ။ဒုတိယ။", ["ပထမ။", "ဒုတိယ။"]],
		["", []],
	])("splits %j", (text, sentences) => {
		expect(split(text)).toEqual(sentences);
	});

	it("loses nothing but blanks", () => {
		const piece = fc.constantFrom(".", "?", "。", "…", " ", "\n", "a", "Dr", "5", '"', "[1]", "é", "語");
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
				const text = pieces.join("");
				expect(split(text).join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
			}),
		);
	});

	it("is not slow on hostile text", () => {
		const started = process.threadCpuUsage();
		for (const text of [
			".".repeat(200_000),
			"\n".repeat(200_000),
			"a. ".repeat(70_000),
			" ".repeat(200_000),
			".[1".repeat(50_000),
		])
			splitSentences(text);
		expect(process.threadCpuUsage(started).user).toBeLessThan(2_000_000);
	});
});
