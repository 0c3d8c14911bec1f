import type { ChatMessage, Json } from "@stemma/core";
import { isJsonObject, looksLikeConversation, visibleJson, visibleText } from "@stemma/core/internal";

interface Conversation {
	readonly messages: readonly { role: "user" | "assistant"; content: string }[];
}

/**
 * `{messages: [{role, content}]}` is read as a conversation where it is the run's own input. What a model wrote in that
 * form stays data: it must not be able to put words into anyone's mouth.
 */
const isConversation = (value: Json, runInput: Json): value is Json & Conversation =>
	value === runInput && looksLikeConversation(value) && value.messages.every(isMessage);

const isMessage = (message: unknown): boolean =>
	isJsonObject(message) &&
	(message.role === "user" || message.role === "assistant") &&
	typeof message.content === "string";

/** Text as it is, JSON as compact text. */
export function toText(value: Json): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Output of a tool, an agent or a search as the text that a model reads: what cannot be seen in it is written out or left
 * out, so that nothing is hidden in it from people who read along.
 */
export function toModelText(value: Json): string {
	const text = toText(value);
	// Within JSON each string is treated by itself, so that the text stays JSON.
	return visibleText(text) === text ? text : toText(visibleJson(value));
}

/** Messages that a model node is asked. What hides in the run's own input is the user's; what a model wrote is shown. */
export function toMessages(value: Json, runInput: Json): ChatMessage[] {
	const toContent = value === runInput ? toText : toModelText;
	if (!isConversation(value, runInput)) return [{ role: "user", content: toContent(value) }];
	return value.messages.map(({ role, content }) => ({ role, content }));
}

/** Returns the query of a knowledge node: the string, else `.query`, else the last user message. */
export function toQuery(value: Json, runInput: Json): string | undefined {
	if (typeof value === "string") return value;
	if (isJsonObject(value) && typeof value.query === "string") return value.query;
	return isConversation(value, runInput) ? lastUserMessage(value) : undefined;
}

const lastUserMessage = ({ messages }: Conversation): string | undefined =>
	messages.filter(({ role }) => role === "user").at(-1)?.content;

/**
 * Converts a value to the input of another run. Data that only looks like a conversation becomes text: the other run
 * would take it for one, with words in it that nobody said.
 */
export const toRemoteInput = (value: Json): Json => (looksLikeConversation(value) ? toText(value) : value);

/** The messages of the run's own conversation; none of anything else. */
export const readConversation = (value: Json, runInput: Json): Conversation["messages"] | undefined =>
	isConversation(value, runInput) ? value.messages : undefined;

/** The messages of the run's own conversation before its last user message; `undefined` where there are none. */
export function readHistory(value: Json, runInput: Json): Conversation["messages"] | undefined {
	const messages = readConversation(value, runInput) ?? [];
	const history = messages.slice(0, Math.max(0, messages.map(({ role }) => role).lastIndexOf("user")));
	return history.length === 0 ? undefined : history;
}

/** Converts a value for receivers that do not support conversations: a conversation becomes its last user message. */
export const toLastUserMessage = (value: Json, runInput: Json): Json =>
	isConversation(value, runInput) ? (lastUserMessage(value) ?? value) : value;
