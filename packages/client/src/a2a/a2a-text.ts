import type { StemmaClient } from "../client";
import { A2aError } from "./a2a-error";
import type { A2aPart, A2aSendResponse } from "./wire";

/**
 * The text of an answer: of a message, or of a task's artifacts, each on lines of its own; where it has none, what it says of
 * its state, such as the question of a task that waits for an answer. Data and files are left out.
 *
 * @throws A2aError `task_failed`, `task_rejected`, `task_canceled`: such a task has no answer. It repeats what the agent says.
 */
export function readA2aText(response: A2aSendResponse, client?: Pick<StemmaClient, "redact">): string {
	if ("message" in response) return textOf(response.message.parts);
	const { status, artifacts = [] } = response.task;
	const statusText = textOf(status.message?.parts ?? []);
	const [, failure] = /_(FAILED|REJECTED|CANCELED)$/.exec(status.state) ?? [];
	if (failure !== undefined) {
		const code = `task_${failure.toLowerCase()}`;
		const { message } = client?.redact({ message: statusText }) ?? { message: statusText };
		throw new A2aError(message || `The agent ended the task as ${failure}, without a reason.`, { code });
	}
	const texts = artifacts.map(({ parts }) => textOf(parts)).filter(Boolean);
	return texts.length > 0 ? texts.join("\n\n") : statusText;
}

const textOf = (parts: readonly A2aPart[]): string => parts.map(({ text = "" }) => text).join("");
