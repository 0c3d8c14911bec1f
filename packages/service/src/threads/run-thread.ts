import type { Json } from "@stemma/core";
import { isJsonObject, readRunInput } from "@stemma/core/internal";
import type { RunThread } from "../runs/run-requests";
import { type PreparedTurn, readHistoryInTurn, type ThreadWorkspace, toNewTurn } from "./prepare-turn";
import { toRunInput } from "./to-history";

/** Thread in which a run answers a message. */
export const toRunThread = (workspace: ThreadWorkspace, turn: PreparedTurn): RunThread => ({
	id: turn.threadId,
	messageId: turn.answerId,
	toTurn: (runId) => toNewTurn(turn, runId),
	readInput: async (signal) => toRunInput(turn.text, await readHistoryInTurn(workspace, turn, signal)),
});

/** Reads the input of a run as one message: text, or a conversation of one message of the user. */
export function readMessageText(json: Json): string | undefined {
	if (typeof json === "string") return json;
	const reading = readRunInput(json);
	const messages = "input" in reading && isJsonObject(reading.input) ? reading.input.messages : undefined;
	if (!Array.isArray(messages) || messages.length !== 1) return undefined;
	const [message] = messages;
	if (!isJsonObject(message) || message.role !== "user") return undefined;
	return typeof message.content === "string" ? message.content : undefined;
}
