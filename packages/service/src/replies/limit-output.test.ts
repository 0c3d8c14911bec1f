import fc from "fast-check";
import { expect, it } from "vitest";
import { boundTokens } from "../models/metering/token-bound";
import { limitOutput } from "./limit-output";
import { readReply } from "./read-reply";
import type { ReplyEvent } from "./reply";

async function* toEvents(parts: readonly (string | null)[]): AsyncGenerator<ReplyEvent> {
	for (const text of parts) yield text === null ? { type: "text.reset" } : { type: "text.delta", text };
	const text = parts.slice(parts.lastIndexOf(null) + 1).join("");
	yield { type: "finish", reply: { text, toolCalls: [], finishReason: "stop" } };
}

async function cut(parts: readonly (string | null)[], maxTokens: number) {
	let text = "";
	for await (const event of limitOutput(toEvents(parts), maxTokens)) {
		if (event.type === "text.reset") text = "";
		if (event.type === "text.delta") text += event.text;
		if (event.type === "finish") return { text, reply: event.reply };
	}
	throw new Error("It has no end.");
}

it("leaves text that fits as it is, and cuts other text between characters", async () => {
	expect((await cut(["one ", "two"], 4)).reply).toMatchObject({ text: "one two", finishReason: "stop" });
	expect((await cut(["one ", "two"], 3)).reply).toMatchObject({ text: "one tw", finishReason: "length" });
	expect((await cut(["💥💥"], 7)).reply).toMatchObject({ text: "💥", finishReason: "length" });
});

it("counts what was taken back no more", async () => {
	expect((await cut(["one two", null, "five"], 2)).reply).toMatchObject({
		text: "five",
		finishReason: "stop",
	});
});

it("streams a beginning of the text within the limit, however it is divided", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.string({ unit: "grapheme" })),
			fc.integer({ min: 1, max: 20 }),
			async (parts, max) => {
				const { text, reply } = await cut(parts, max);
				expect(reply.text).toBe(text);
				expect(parts.join("").startsWith(text)).toBe(true);
				// JSON has two quotes, and longer forms of some signs.
				if (/^[\w ]*$/.test(text)) expect(boundTokens([text]) - 4).toBeLessThanOrEqual(max);
				expect(reply.finishReason).toBe(text === parts.join("") ? "stop" : "length");
			},
		),
	);
});

it("a stream without an end has no reply", async () => {
	async function* cutOff(): AsyncGenerator<ReplyEvent> {
		yield { type: "start" };
	}
	await expect(readReply(cutOff())).rejects.toMatchObject({ code: "shutting_down" });
});
