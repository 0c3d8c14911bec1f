import { describe, expect, it } from "vitest";
import type { Json } from "../json";
import { readRunInput } from "./run-input";

const user = (content: Json) => ({ role: "user", content });
const text = (content: string) => ({ type: "text", text: content });

describe("readRunInput", () => {
	it.each<[string, Json]>([
		["text", "Hi"],
		["JSON", { query: "Hi", messages: 3 }],
		["messages without roles", { messages: ["a", { content: "b" }] }],
		["no messages", { messages: [] }],
		[
			"a conversation of texts",
			{ messages: [user("Hi"), { role: "assistant", content: "Yes?" }, user("?")] },
		],
	])("leaves %s as it is", (_, input) => {
		const reading = readRunInput(input);
		expect("input" in reading && reading.input).toBe(input);
	});

	it("joins text parts, and keeps what else is there", () => {
		const messages = [user("Hi"), { ...user([text("Where is "), text("my order?")]), id: "m2" }];
		expect(readRunInput({ messages, chat: 7 })).toEqual({
			input: { messages: [user("Hi"), { role: "user", content: "Where is my order?", id: "m2" }], chat: 7 },
		});
	});

	it("names every role and part that it cannot take, by its place", () => {
		const messages = [
			{ role: "system", content: "Be brief." },
			user("Hi"),
			user([text("See"), { type: "image_url", image_url: { url: "https://a.example/b.png" } }, "text"]),
			{ role: "tool", content: null },
			{ content: "Hi" },
			"Hi",
		];
		expect(readRunInput({ messages })).toEqual({
			issues: [
				{ path: ["messages", 0, "role"], message: expect.stringMatching(/"system".*`instructions`/) },
				{ path: ["messages", 2, "content", 1], message: expect.stringContaining('"image_url"') },
				{ path: ["messages", 2, "content", 2], message: expect.stringContaining("text part") },
				{ path: ["messages", 3, "role"], message: expect.stringContaining('"tool"') },
				{ path: ["messages", 3, "content"], message: expect.stringContaining("text") },
				{ path: ["messages", 4, "role"], message: expect.stringContaining("role") },
				{ path: ["messages", 5], message: expect.stringContaining("object") },
			],
		});
	});
});
