import { expect, it } from "vitest";
import { isKnownText, toReadPart } from "./embedded-text";

it("knows texts that have about as few tokens as English has", () => {
	expect(isKnownText("What is the capital of France?", 7)).toBe(true);
	expect(isKnownText("Was ist die Hauptstadt von Frankreich?", 16)).toBe(false);
	expect(isKnownText("Quelle est la capitale de la République ?", 16)).toBe(false);
});

it("knows code where English words are around it", () => {
	const code = "const { rows } = await db.query(sql`SELECT id FROM tbl_usr`, opts);";
	expect(isKnownText(`How to read the rows of a table: ${code}`, 50)).toBe(true);
	expect(isKnownText(`Zeilen einer Tabelle lesen: ${code}`, 50)).toBe(false);
});

it("knows no other script, however few tokens stand for it, and nothing without letters", () => {
	expect(isKnownText("フランスの首都はどこですか", 2)).toBe(false);
	expect(isKnownText("Столица of France", 4)).toBe(false);
	expect(isKnownText("2026 – 42", 1)).toBe(false);
	expect(isKnownText("", 0)).toBe(false);
});

it("reads the beginning of a long text", () => {
	expect(toReadPart("a".repeat(100_000)).length).toBeLessThan(1_000);
});
