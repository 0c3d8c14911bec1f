import { ConfigurationError } from "@stemma/client";
import { type AnswerStream, toAskAnswer, toRunAnswer } from "./answer-stream";
import type { ThreadService, ThreadTarget } from "./thread-service";
import type { ThreadHandle } from "./thread-state";

/** Place of an answer in its thread. */
export type AnswerPlace = NewQuestion | AnsweredQuestion;

/** Question that the service does not have yet. */
interface NewQuestion {
	readonly text: string;
	/** Message that it follows; `null` where it begins the conversation. */
	readonly parent_id: string | null;
}

/** Question that was answered before. */
interface AnsweredQuestion {
	/** Id of one of its answers. */
	readonly regenerate_of: string;
}

/** Sends a question of a thread, or asks for another answer to it, and opens the answer. */
export function openAnswerStream(
	{ agents, ask }: ThreadService,
	target: ThreadTarget,
	{ thread_id, thread_token }: ThreadHandle,
	place: AnswerPlace,
): AnswerStream {
	const options = { thread_token };
	if (target.agent !== undefined) {
		if (agents === undefined) throw createMissingError("agents", "agent");
		const request = { thread_id, ...(target.context && { context: target.context }) };
		return toRunAnswer(
			"regenerate_of" in place
				? agents.stream(target.agent, { ...request, ...place }, options)
				: agents.stream(target.agent, { ...request, input: place.text, parent_id: place.parent_id }, options),
		);
	}
	if (ask === undefined) throw createMissingError("ask", "knowledgeBaseIds");
	const store = ask.sendFeedback !== undefined;
	const request = { thread_id, knowledge_base_ids: target.knowledgeBaseIds, ...(store && { store }) };
	return toAskAnswer(
		"regenerate_of" in place
			? ask.stream({ ...request, ...place }, options)
			: ask.stream({ ...request, question: place.text, parent_id: place.parent_id }, options),
	);
}

const createMissingError = (part: string, option: string): ConfigurationError =>
	new ConfigurationError(`useThread: \`${option}\` needs \`${part}\` in the service that is passed to it.`);
