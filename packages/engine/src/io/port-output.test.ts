import { describe, expect, it } from "vitest";
import { MAX_OUTPUT_CHARACTERS, readOutput } from "./port-output";

const read = (output: unknown) =>
	readOutput(output, { code: "tool", action: "The tool ran", formatHint: "", sizeHint: "" });

/** A value with this many characters as JSON. */
const withCharacters = (characters: number, wrap: (text: string) => unknown): unknown =>
	wrap("x".repeat(characters - JSON.stringify(wrap("")).length));

describe("the size of a result as JSON", () => {
	it.each<[string, (text: string) => unknown]>([
		["a list", (text) => [1, text]],
		["an object", (text) => ({ a: { text, none: null } })],
		["a key", (text) => ({ [text]: true })],
		["text that is escaped", (text) => [`${"\u0001\n".repeat(1_000)}${text}`]],
		["half characters", (text) => ({ text: `${"\ud800".repeat(1_000)}${text}` })],
		["long numbers", (text) => [...Array.from({ length: 1_000 }, () => -Number.MIN_VALUE * 7), text]],
		["many small values", (text) => [Array.from({ length: 10_000 }, () => ({})), text]],
	])("is measured to the character: %s", (_, wrap) => {
		const largest = withCharacters(MAX_OUTPUT_CHARACTERS, wrap);
		expect(read(largest)).toEqual(largest);
		expect(() => read(withCharacters(MAX_OUTPUT_CHARACTERS + 1, wrap))).toThrow(/has 250,001 characters/);
	});

	it.each<[string, unknown]>([
		["control characters", ["\u0001".repeat(41_700)]],
		["half characters as keys", { ["\ud800".repeat(41_700)]: 1 }],
		["numbers", Array.from({ length: 10_200 }, () => -1.234_567_890_123_456_7e-123)],
	])("counts characters that are written longer than they are: %s", (_, output) => {
		expect(JSON.stringify(output).length).toBeGreaterThan(MAX_OUTPUT_CHARACTERS);
		expect(() => read(output)).toThrow(/as JSON it has/);
	});
});
