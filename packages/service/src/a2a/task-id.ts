import type { Caller } from "../auth/caller";
import type { Fingerprint } from "../auth/fingerprint";
import { createRunToken, isRunToken } from "../runs/run-token";

/**
 * The id of a task, as this caller knows it. That of a client key holds the token of the run: a key is in a page for all
 * to read, so the id alone must not be enough, and must not be guessed.
 */
export const toTaskId = (runId: string, caller: Caller, fingerprint: Fingerprint): string =>
	caller.kind === "client" ? runId : `${runId}.${createRunToken(runId, fingerprint)}`;

/** The run of a task; nothing for an id that this caller cannot have been given. */
export function toRunId(taskId: string, caller: Caller, fingerprint: Fingerprint): string | undefined {
	if (caller.kind === "client") return taskId;
	const [runId = "", token] = taskId.split(".", 2);
	return isRunToken(token, runId, fingerprint) ? runId : undefined;
}
