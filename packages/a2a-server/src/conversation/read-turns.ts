import type { TaskRecord } from "../task-store";
import { readProgress } from "../tasks/to-task";
import { type Turn, toTurn } from "./turn";

/** Limits of the conversation that a run is given before the new message: the newest part, in whole turns. */
export const CONVERSATION_LIMITS = {
	tasks: 20,
	/** Characters of questions and answers together. */
	characters: 100_000,
} as const;

/** The turns before a new message, oldest first. @param records - newest first; no more are read than are of use. */
export async function readTurns(records: AsyncIterable<TaskRecord>): Promise<readonly Turn[]> {
	const turns: Turn[] = [];
	let tasks = 0;
	let characters = 0;
	for await (const record of records) {
		const turn = toTurn(record.message, await readProgress(record));
		tasks += 1;
		characters += turn === undefined ? 0 : turn.question.length + turn.answer.length;
		if (characters > CONVERSATION_LIMITS.characters) break;
		if (turn !== undefined) turns.unshift(turn);
		if (tasks === CONVERSATION_LIMITS.tasks) break;
	}
	return turns;
}
