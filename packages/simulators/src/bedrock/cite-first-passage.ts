import { citeFirstPassage as citeAsChat } from "../openai/cite-first-passage.ts";
import type { Behaviour } from "./behaviour.ts";
import type { ConverseRequest } from "./converse-request.ts";

/** The answer of the other simulators: the first sentence of the first passage, and its mark. */
export function citeFirstPassage({ system = [], messages }: ConverseRequest): Behaviour {
	const contents = [system, ...messages.map(({ content }) => content)];
	const reply = citeAsChat({
		messages: contents.map((blocks) => ({ content: blocks.map(toText).join("\n") })),
	});
	return { kind: "reply", text: reply.kind === "reply" ? (reply.text ?? "") : "" };
}

function toText({ text, toolResult }: ConverseRequest["messages"][number]["content"][number]): string {
	return text ?? toolResult?.content.map((part) => part.text ?? JSON.stringify(part.json)).join("\n") ?? "";
}
