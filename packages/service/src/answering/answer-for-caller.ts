import type { Answer } from "@stemma/client";
import type { RequestScope } from "../request-scope";
import { type AskOptions, ask } from "./ask";
import type { ResolvedAskRequest } from "./ask-request";
import { createCallerReceipts } from "./caller-receipts";

/** Options of an answer for a caller. */
export type AnswerForCallerOptions = Pick<AskOptions, "signal" | "onEvent">;

/**
 * Answers a question at its caller's cost, with as much of the bill as the caller sees.
 *
 * @throws DomainError as the caller sees it.
 */
export async function answerForCaller(
	scope: RequestScope,
	request: ResolvedAskRequest,
	{ signal, onEvent }: AnswerForCallerOptions,
): Promise<Answer> {
	const receipts = createCallerReceipts(scope);
	const answer = await ask(request, {
		...toAskOptions(scope),
		receipts,
		signal,
		...(onEvent && { onEvent }),
	}).catch(receipts.rejectForCaller);
	await receipts.waitUntilWritten();
	return receipts.visibility === "answer" ? { ...answer, receipt: [] } : answer;
}

/** Creates the options for answering a question of this caller. */
export function toAskOptions(scope: RequestScope) {
	const { database, knowledge, settings } = scope.workspace;
	const { models } = scope.kernel;
	return { database, knowledge, settings, models, isClientKey: scope.caller.kind === "client_key" };
}
