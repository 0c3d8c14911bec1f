import { expect, it } from "vitest";
import { createNoAnswerReader, isRefusal, removeNoAnswerMarks } from "./no-answer-reader";

const TEXT = "[no-answer] Die Dokumente sagen das nicht [1], [no and [NO-ANSWER]\nnichts.";

it("takes the mark out, however the text is cut", () => {
	const whole = removeNoAnswerMarks(TEXT);
	expect(whole).toBe("Die Dokumente sagen das nicht [1], [no and nichts.");
	for (let at = 0; at <= TEXT.length; at++) {
		const reader = createNoAnswerReader();
		expect(reader.push(TEXT.slice(0, at)) + reader.push(TEXT.slice(at)) + reader.flush()).toBe(whole);
	}
	const reader = createNoAnswerReader();
	expect([...TEXT].map(reader.push).join("") + reader.flush()).toBe(whole);
});

it.each([
	["[no-answer] It is not said.", false, true],
	["\n[NO-ANSWER]\nNothing is said.", false, true],
	["**[no-answer]** It is not said.", false, true],
	["[no-answer] Of the ferry alone it is said [1].", true, true],
	["It is not said. [no-answer]", false, true],
	["It opens at nine [1]. [no-answer]", true, false],
	["It opens at nine [1].", true, false],
	["It opens at nine.", false, false],
])("knows a refusal: %j", (text, hasCitations, refused) => {
	expect(isRefusal(text, hasCitations)).toBe(refused);
});
