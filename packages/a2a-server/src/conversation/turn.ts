import type { A2aMessage } from "@stemma/client/a2a";
import type { Json } from "@stemma/core";
import type { TaskProgress } from "../tasks/task-progress";
import { toRunInput } from "../to-run-input";

/** Question and its answer in a conversation. */
export interface Turn {
	readonly question: string;
	readonly answer: string;
}

/**
 * A task that has completed, as a turn of its conversation: texts as they are, JSON as compact text. Undefined where the
 * message or the answer says nothing: vendors refuse empty messages.
 */
export function toTurn(message: A2aMessage, { artifact }: TaskProgress): Turn | undefined {
	if (artifact === undefined) return undefined;
	const turn = { question: toText(toRunInput(message)), answer: toText(toRunInput(artifact)) };
	return turn.question.trim() === "" || turn.answer.trim() === "" ? undefined : turn;
}

const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The conversation as a run takes it; a question that begins one is a question alone. */
export function toConversation(turns: readonly Turn[], question: string): Json {
	if (turns.length === 0) return question;
	const before = turns.flatMap((turn) => [
		{ role: "user", content: turn.question },
		{ role: "assistant", content: turn.answer },
	]);
	return { messages: [...before, { role: "user", content: question }] };
}
