import type { ContentBlock, ConverseMessage, ConverseRequest, ToolResult } from "../converse-request.ts";
import { isObject } from "../converse-request.ts";
import { reject } from "../rejection.ts";

/** What holds between the blocks of a conversation; each block alone was looked at before. */
export function checkMessages({ messages, toolConfig }: ConverseRequest): void {
	checkRoles(messages);
	messages.forEach((message, index) => {
		checkMessage(message, `messages.${index}`);
	});
	const blocks = messages.flatMap(({ content }) => content);
	if (toolConfig === undefined && blocks.some(({ toolUse, toolResult }) => toolUse ?? toolResult))
		reject("The toolConfig field must be defined when using toolUse and toolResult content blocks.");
	messages.forEach((message, index) => {
		checkResults(messages[index - 1], message, `messages.${index}.content`);
	});
	if (messages.at(-1)?.role === "assistant")
		reject(
			"This model does not support assistant message prefill. The conversation must end with a user message.",
		);
}

/** What models of some vendors ask besides. */
export function checkToolTurns({ messages }: ConverseRequest): void {
	messages.forEach(({ content }, index) => {
		const results = content.filter(({ toolResult }) => toolResult !== undefined);
		if (results.length > 0 && results.length < content.length)
			reject(
				`messages.${index}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.`,
			);
	});
}

function checkRoles(messages: readonly ConverseMessage[]): void {
	if (messages[0]?.role !== "user")
		reject(
			"A conversation must start with a user message. Try again with a conversation that starts with a user message.",
		);
	if (messages.some(({ role }, index) => role === messages[index - 1]?.role))
		reject(
			"A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
		);
}

function checkMessage({ role, content }: ConverseMessage, path: string): void {
	if (content.length === 0)
		reject(
			`The content field in the Message object at ${path} is empty. Add a ContentBlock object to the content field and try again.`,
		);
	content.forEach((block, index) => {
		checkBlock(block, role, `${path}.content.${index}`);
	});
}

function checkBlock(
	{ text, toolUse, toolResult, reasoningContent }: ContentBlock,
	role: string,
	path: string,
) {
	if (text !== undefined && text.trim() === "")
		reject(
			`The text field in the ContentBlock object at ${path} is blank. Add text to the text field, and try again.`,
		);
	if (role === "user" && (toolUse ?? reasoningContent) !== undefined)
		reject(`The block at ${path} is allowed only in messages with the role assistant.`);
	if (role === "assistant" && toolResult !== undefined)
		reject(`The block at ${path} is allowed only in messages with the role user.`);
	if (toolUse !== undefined) assertDocument(toolUse.input, `${path}.toolUse.input`);
	if (toolResult !== undefined) checkResult(toolResult, `${path}.toolResult`);
}

/** Blank texts are taken here, and no content too, unless it tells of a failure. */
function checkResult({ content, status }: ToolResult, path: string): void {
	if (status === "error" && content.length === 0)
		reject(`The content field at ${path} cannot be empty when status value is error.`);
	content.forEach(({ json }, index) => {
		if (json !== undefined) assertDocument(json, `${path}.content.${index}.json`);
	});
}

export function assertDocument(value: unknown, path: string): void {
	if (isObject(value)) return;
	reject(`The format of the value at ${path} is invalid. Provide a json object for the field and try again.`);
}

/** A message answers the calls of the one before it: all of them, and nothing else. */
function checkResults(previous: ConverseMessage | undefined, message: ConverseMessage, path: string): void {
	const requestedIds = (previous?.content ?? []).flatMap(({ toolUse }) => toolUse?.toolUseId ?? []);
	const answeredIds = message.content.flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);
	const missing = requestedIds.filter((id) => !answeredIds.includes(id));
	if (missing.length > 0)
		reject(`Expected toolResult blocks at ${path} for the following Ids: ${missing.join(", ")}`);
	if (answeredIds.length > requestedIds.length)
		reject(
			`The number of toolResult blocks at ${path} exceeds the number of toolUse blocks of previous turn.`,
		);
	const calls = message.content.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []);
	if (new Set(calls).size < calls.length) reject(`The toolUse blocks at ${path} contain duplicate Ids.`);
}
