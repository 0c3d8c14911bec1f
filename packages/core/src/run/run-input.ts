import { quote } from "../internal/quote";
import { isJsonObject, type Json } from "../json";

/** A conversation as the input of a run. The last message is what is asked now. */
export interface Conversation {
	/** Oldest first. */
	readonly messages: readonly ConversationMessage[];
}

export interface ConversationMessage {
	/** Instructions have no role here: they are the agent's `instructions`. */
	readonly role: "user" | "assistant";
	/** Text, or parts of it, which are joined without a separator. */
	readonly content: string | readonly TextPart[];
}

/** The one kind of content part that is taken. */
export interface TextPart {
	readonly type: "text";
	readonly text: string;
}

/** One thing that is wrong with the input of a run. */
export interface RunInputIssue {
	/** Path from the root of the input: `["messages", 0, "role"]`. */
	readonly path: readonly (string | number)[];
	/** Sentences that say what is wrong and what to do, without the path. */
	readonly message: string;
}

export type RunInputResult = { readonly input: Json } | { readonly issues: readonly RunInputIssue[] };

/**
 * True for JSON that is meant as a conversation: an object with `messages` of which at least one has a `role`. It may still
 * be an invalid one.
 */
export const looksLikeConversation = (
	input: Json,
): input is { readonly [key: string]: Json; readonly messages: readonly Json[] } =>
	isJsonObject(input) &&
	Array.isArray(input.messages) &&
	input.messages.some((message) => isJsonObject(message) && Object.hasOwn(message, "role"));

/** The input of a run, with the content of a conversation as text; or all that is wrong with that conversation. */
export function readRunInput(input: Json): RunInputResult {
	if (!looksLikeConversation(input)) return { input };
	const issues: RunInputIssue[] = [];
	let hasParts = false;
	const messages = input.messages.map((message, index): Json => {
		findMessageIssues(message, ["messages", index], issues);
		if (!isJsonObject(message) || !Array.isArray(message.content)) return message;
		hasParts = true;
		const content = message.content.map((part) => (isTextPart(part) ? part.text : "")).join("");
		return Object.freeze({ ...message, content });
	});
	if (issues.length > 0) return { issues };
	return { input: hasParts ? Object.freeze({ ...input, messages: Object.freeze(messages) }) : input };
}

function findMessageIssues(message: Json, path: RunInputIssue["path"], issues: RunInputIssue[]): void {
	const report = (message: string, ...subpath: readonly (string | number)[]): void => {
		issues.push({ path: [...path, ...subpath], message });
	};
	if (!isJsonObject(message)) return report("A message is an object with `role` and `content`.");
	const { role, content } = message;
	if (role !== "user" && role !== "assistant") report(describeRole(role), "role");
	if (typeof content === "string") return;
	if (!Array.isArray(content))
		return report("The content of a message is text or a list of text parts.", "content");
	for (const [index, part] of content.entries())
		if (!isTextPart(part)) report(describePart(part), "content", index);
}

const isTextPart = (part: unknown): part is TextPart =>
	isJsonObject(part) && part.type === "text" && typeof part.text === "string";

const INSTRUCTIONS_HINT =
	"Put instructions into `instructions` of the agent, and values for them into `context`.";
const ROLES_HINT = 'The roles are "user" and "assistant".';

function describeRole(role: unknown): string {
	if (typeof role !== "string") return `A message needs a role. ${ROLES_HINT}`;
	const isInstruction = role === "system" || role === "developer";
	return `The role ${quote(role)} is not accepted. ${ROLES_HINT}${isInstruction ? ` ${INSTRUCTIONS_HINT}` : ""}`;
}

function describePart(part: unknown): string {
	const type =
		isJsonObject(part) && typeof part.type === "string" && part.type !== "text" ? part.type : undefined;
	const what =
		type === undefined ? "This is not a text part" : `A part of type ${quote(type)} is not accepted`;
	return `${what}. Only text parts are: {"type": "text", "text": "…"}.`;
}
