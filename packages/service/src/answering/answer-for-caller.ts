import type { Answer } from "@stemma/client";
import type { ServiceContext } from "../http/service-app";
import { type AskOptions, ask, type ResolvedAskRequest } from "./ask";
import { createCallerReceipts } from "./caller-receipts";

/** Options of an answer for a caller. */
export type AnswerForCallerOptions = Pick<AskOptions, "signal" | "onEvent">;

/**
 * Answers a question at its caller's cost, with as much of the bill as the caller sees.
 *
 * @throws DomainError as the caller sees it.
 */
export async function answerForCaller(
	context: ServiceContext,
	request: ResolvedAskRequest,
	{ signal, onEvent }: AnswerForCallerOptions,
): Promise<Answer> {
	const receipts = createCallerReceipts(context);
	const answer = await ask(request, {
		...toAskOptions(context),
		receipts,
		signal,
		...(onEvent && { onEvent }),
	}).catch(receipts.rejectForCaller);
	await receipts.waitUntilWritten();
	return receipts.visibility === "answer" ? { ...answer, receipt: [] } : answer;
}

/** Creates the options for answering a question of this caller. */
export function toAskOptions(context: ServiceContext) {
	const { database, knowledge, settings } = context.get("workspace");
	const { models } = context.get("kernel");
	return { database, knowledge, settings, models, isClientKey: context.get("caller").kind === "client_key" };
}
