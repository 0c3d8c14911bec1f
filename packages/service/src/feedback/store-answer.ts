import type { Answer } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { TextMessage } from "../answering/ask-request";
import { createId } from "../create-id";
import type { RequestScope } from "../request-scope";
import { createAnswerToken } from "./answer-token";
import { toAnswerContent } from "./rated-content";

/** Stores an answer, so that it can be rated, and returns it with its id and its token. */
export async function storeAnswer(
	{ workspace, caller, kernel }: RequestScope,
	request: { readonly question: string; readonly history?: readonly TextMessage[] },
	answer: Answer,
): Promise<Answer> {
	const id = createId("ans");
	const content = toAnswerContent(request, answer);
	await workspace.store.feedback.insertAnswer({
		...{ id, asked_by: caller.id, created_at: clock.now(), content },
	});
	return { ...answer, answer_id: id, answer_token: createAnswerToken(id, kernel.fingerprint) };
}
