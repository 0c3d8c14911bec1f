import type { Thread, ThreadMessage } from "@stemma/client";
import type { RunError } from "@stemma/core";
import { toPublicRunError } from "@stemma/core/internal";
import { createAnswerToken } from "../feedback/answer-token";
import type { RequestScope } from "../request-scope";
import { createRunToken } from "../runs/run-token";
import type { MessageError, StoredMessage, StoredThread } from "./stored-thread";

/** Converts a thread to what the API shows of it. */
export const toThread = ({
	owner_kind,
	owner_id,
	characters: _,
	created_at,
	updated_at,
	...thread
}: StoredThread): Thread => ({
	...thread,
	owner: { kind: owner_kind, id: owner_id },
	created_at: new Date(created_at).toISOString(),
	updated_at: new Date(updated_at).toISOString(),
});

/**
 * Converts a message to what its caller sees. A client key sees no receipts and no details of errors; it gets the token of
 * the run, which it needs to rejoin it, and that of a stored answer, which it needs to rate it.
 */
export function toThreadMessage(
	{ run_id, answer_id, citations, refused, receipt, error, created_at, ...message }: StoredMessage,
	{ caller, kernel, documentLinks }: Pick<RequestScope, "caller" | "kernel" | "documentLinks">,
): ThreadMessage {
	const isClientKey = caller.kind === "client_key";
	return {
		...message,
		...(run_id !== null && { run_id }),
		...(run_id !== null && isClientKey && { run_token: createRunToken(run_id, kernel.fingerprint) }),
		...(answer_id !== null && { answer_id }),
		...(answer_id !== null &&
			isClientKey && { answer_token: createAnswerToken(answer_id, kernel.fingerprint) }),
		...(citations !== null && { citations: documentLinks.link(citations) }),
		...(refused != null && { refused }),
		...(receipt !== null && !isClientKey && { receipt }),
		...(error !== null && { error: isClientKey ? toPublicError(error, run_id) : error }),
		created_at: new Date(created_at).toISOString(),
	};
}

const toPublicError = (error: MessageError, runId: string | null): RunError =>
	runId === null
		? { code: error.code, message: "The message could not be answered." }
		: toPublicRunError(error, runId);
