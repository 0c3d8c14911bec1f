import type { A2aMessage } from "@stemma/client/a2a";
import type { Json } from "@stemma/core";
import type { TaskStore } from "../task-store";
import { toRunInput } from "../to-run-input";
import { readTurns } from "./read-turns";
import { toConversation } from "./turn";

/**
 * Builds the input of the run for a new message. Text in a context with earlier answers continues that conversation.
 * Data alone is the input unchanged: arguments, a query, or a conversation of its own.
 *
 * @throws A2aServerError `CONTENT_TYPE_NOT_SUPPORTED` for files.
 */
export async function resolveRunInput(
	store: Pick<TaskStore, "readConversation">,
	message: A2aMessage,
): Promise<Json> {
	const input = toRunInput(message);
	if (message.contextId === undefined || typeof input !== "string") return input;
	return toConversation(await readTurns(store.readConversation(message.contextId)), input);
}
