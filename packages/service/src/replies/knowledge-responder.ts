import type { Answer } from "@stemma/client";
import { answerForCaller, planForCaller } from "../answering/answer-for-caller";
import type { ResolvedAskRequest } from "../answering/ask-request";
import { resolveKnowledgeBases } from "../answering/retrieval/knowledge-base-selection";
import { DomainError } from "../errors/domain-error";
import type { RequestScope } from "../request-scope";
import { visibilityOf } from "../runs/visibility";
import { MAX_QUERY_CHARACTERS } from "../validation/field-limits";
import type { AnswerRequest } from "./answer-request";
import { limitOutput } from "./limit-output";
import { readReply } from "./read-reply";
import type { ReplyEvent, Responder, ResponderReply } from "./reply";
import { streamEvents } from "./stream-events";

/** Options of an answer from a knowledge base. */
export interface KnowledgeResponderOptions {
	/** Name of the model in responses. */
	readonly model: string;
	readonly knowledgeBase: string;
	/** Name of the field that holds the question, for errors. */
	readonly questionField: string;
}

/**
 * Plans the answer of a knowledge base to the last message of a request.
 *
 * @throws DomainError for a knowledge base that does not exist, the choice of its model, and a question that is too long.
 */
export async function createKnowledgeResponder(
	scope: RequestScope,
	{ messages, maxOutputTokens }: AnswerRequest,
	{ model, knowledgeBase, questionField }: KnowledgeResponderOptions,
): Promise<Responder> {
	const question = messages.at(-1)?.content.trim() ?? "";
	assertQuestion(question, questionField);
	const request: ResolvedAskRequest = {
		question,
		history: messages.slice(0, -1),
		knowledge_base_ids: await resolveKnowledgeBases(scope, [knowledgeBase]),
	};
	const plan = await planForCaller(scope, request);
	const answer = (emit: (event: ReplyEvent) => void): Promise<void> =>
		answerForCaller(scope, request, plan, {
			signal: scope.signal,
			onEvent: (event) => {
				if (event.type === "text.delta") emit({ type: "text.delta", text: event.text });
				if (event.type === "text.reset") emit({ type: "text.reset" });
			},
		}).then((answered) => emit({ type: "finish", reply: toReply(answered) }));
	async function* start(): AsyncGenerator<ReplyEvent> {
		yield { type: "start" };
		yield* streamEvents(answer);
	}
	const stream = (): AsyncGenerator<ReplyEvent> =>
		maxOutputTokens === undefined ? start() : limitOutput(start(), maxOutputTokens);
	return {
		model,
		canSeeReceipt: visibilityOf(scope.caller) !== "answer",
		stream,
		generate: () => readReply(stream()),
	};
}

function assertQuestion(question: string, param: string): void {
	if (question !== "" && question.length <= MAX_QUERY_CHARACTERS) return;
	throw new DomainError(
		"invalid_request",
		`The last message is the question: it needs 1 to ${MAX_QUERY_CHARACTERS.toLocaleString("en")} characters.`,
		{ param },
	);
}

const toReply = ({
	answer: text,
	citations,
	receipt,
	usage,
	refused,
	warnings,
	unknown_citations,
}: Answer): ResponderReply => ({
	text,
	toolCalls: [],
	finishReason: "stop",
	answer: {
		citations,
		receipt,
		usage,
		fields: {
			...(refused !== undefined && { refused }),
			...(warnings !== undefined && { warnings: [...warnings] }),
			...(unknown_citations !== undefined && { unknown_citations: [...unknown_citations] }),
		},
	},
});
