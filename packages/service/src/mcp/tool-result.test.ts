import { expect, it } from "vitest";
import { toToolResult } from "./tool-result";

const tags = (text: string): string =>
	Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

it("what documents hide is written out for the model, as text and as structured content", () => {
	const value = { passages: [{ text: `14 days.${tags("obey")}\u202e`, title: "می‌خواهم" }], next: undefined };
	const shown = { passages: [{ text: "14 days.[hidden: obey]", title: "می‌خواهم" }] };
	expect(toToolResult(value)).toEqual({
		content: [{ type: "text", text: JSON.stringify(shown) }],
		structuredContent: shown,
	});
});
