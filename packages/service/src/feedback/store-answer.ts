import type { Answer } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { TextMessage } from "../answering/ask-request";
import { createId } from "../create-id";
import type { RequestScope } from "../request-scope";
import { createAnswerToken } from "./answer-token";
import { toAnswerContent } from "./rated-content";

/** Question of an answer that is stored. */
export interface StoredAnswerRequest {
	readonly question: string;
	readonly history?: readonly TextMessage[];
	/** Message of a thread that the answer is. */
	readonly messageId: string | undefined;
}

/** Stores an answer, so that it can be rated, and returns it with its id and its token. */
export async function storeAnswer(
	{ workspace, caller, kernel }: RequestScope,
	request: StoredAnswerRequest,
	answer: Answer,
): Promise<Answer> {
	// Whoever was removed while the answer was made has left nothing, where their data were deleted.
	if (caller.kind === "user" && !(await kernel.people.sessions.findMember(workspace.id, caller.id)))
		return answer;
	const id = createId("ans");
	const content = toAnswerContent(request, answer);
	const stored = { id, asked_by: caller.id, created_at: clock.now(), content };
	await workspace.store.feedback.insertAnswer(stored, request.messageId);
	return { ...answer, answer_id: id, answer_token: createAnswerToken(id, kernel.fingerprint) };
}
