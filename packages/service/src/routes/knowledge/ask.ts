import type { Answer } from "@stemma/client";
import * as z from "zod";
import {
	type AnswerForCallerOptions,
	answerForCaller,
	planForCaller,
} from "../../answering/answer-for-caller";
import type { AskProgress, ResolvedAskRequest } from "../../answering/ask-request";
import { type DocumentLinks, linkAnswer } from "../../answering/document-links";
import {
	type KnowledgeBaseSelection,
	knowledgeBaseIds,
	selectKnowledgeBases,
	toHasMoreField,
} from "../../answering/retrieval/knowledge-base-selection";
import { assertScope, requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { eventStream, wantsStream } from "../../http/event-stream";
import { readTurnRecord, withIdempotency } from "../../http/idempotency/idempotency";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { RequestScope } from "../../request-scope";
import { requireSpace } from "../../storage/require-space";
import { answerInThread, appendQuestion } from "../../threads/answer-in-thread";
import { prepareTurn, type TurnRequest } from "../../threads/prepare-turn";
import { MAX_QUERY_CHARACTERS } from "../../validation/field-limits";
import { toStreamedError } from "../streamed-error";
import { assertMessageField, doesNotFit, readTurnRequest, turnFields } from "../threads/thread-fields";
import { createEventSender } from "./event-sender";
import { historyField } from "./history-field";

const modelName = z.string().min(1).max(200);

const MAX_TOP_K = 50;

const askBody = z.strictObject({
	question: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS).exactOptional(),
	knowledge_base_ids: knowledgeBaseIds.exactOptional(),
	history: historyField.exactOptional(),
	model: z
		.strictObject({ provider: modelName.exactOptional(), model: modelName.exactOptional() })
		.exactOptional(),
	top_k: z.number().int().min(1).max(MAX_TOP_K).exactOptional(),
	min_score: z.number().min(0).max(1).exactOptional(),
	filter: z.record(z.string(), z.json()).exactOptional(),
	store: z.boolean().exactOptional(),
	stream: z.boolean().exactOptional(),
	...turnFields,
});

type AskBody = z.infer<typeof askBody>;

const description = describeRoute({
	summary: "Answer a question with citations",
	body: askBody,
	isIdempotent: true,
	responses: { 200: { "application/json": "Answer", "text/event-stream": "AskEvent" } },
	errors: [
		"knowledge_base_not_found",
		"no_knowledge_bases",
		"min_score_unavailable",
		"embedding_space_changed",
		"model_choice_not_allowed",
		"cancelled",
		"quota_exceeded",
		"thread_not_found",
		"message_not_found",
		"thread_active",
		"thread_full",
		"thread_queue_full",
	],
	callsModels: true,
	example: { question: "How long does a refund take?" },
});

/** `POST /v1/ask`. */
export function addAskRoute(app: ServiceApp): void {
	app.post("/v1/ask", description, requireCaller({ scopes: ["ask"], clientKeys: true }), async (context) => {
		const body = await readJson(context, askBody);
		const scope = toScope(context);
		const choice = await selectKnowledgeBases(scope, body.knowledge_base_ids);
		const turn = readTurn(context, body);
		const prepare = () => prepareQuestion(scope, toRequest(body, choice), body.question, turn);
		if (wantsStream(context, body)) {
			const answer = await prepare();
			return respondWithStream(context, { choice, links: scope.documentLinks }, answer);
		}
		const work = async () => {
			const answer = await prepare();
			const answered = await answer({ signal: scope.signal });
			const body = { ...answered, ...toHasMoreField(choice) };
			return { status: 200, body, reference: answered.message_id };
		};
		// An answer that is sent again has new addresses of its documents.
		return withIdempotency(context, body, work, (answer) =>
			linkAnswer(answer as Answer, scope.documentLinks),
		);
	});
}

/** @throws DomainError `invalid_request` for fields that do not go together. */
function readTurn(context: ServiceContext, body: AskBody): TurnRequest | undefined {
	const { question, history } = body;
	const turn = readTurnRequest(context, body);
	assertMessageField("question", question, turn);
	if (turn === undefined) return undefined;
	if (history !== undefined) throw doesNotFit("history", 'does not go together with "thread_id"');
	const assertMayCancelRuns = () => assertScope(context.get("caller"), "agents:run");
	return { ...turn, assertMayCancelRuns, request: readTurnRecord(context, body) };
}

const toRequest = (body: AskBody, { ids }: KnowledgeBaseSelection) => ({ ...body, knowledge_base_ids: ids });

/**
 * Prepares the answer to a question, and appends the question to its thread, where it has one.
 *
 * @throws DomainError for what has a status of its own.
 */
async function prepareQuestion(
	scope: RequestScope,
	request: Omit<ResolvedAskRequest, "question">,
	question = "",
	turn?: TurnRequest,
): Promise<(options: AnswerForCallerOptions) => Promise<Answer>> {
	if (turn !== undefined || request.store === true) await requireSpace(scope);
	if (turn === undefined) {
		const plan = await planForCaller(scope, request);
		return (options) => answerForCaller(scope, { ...request, question }, plan, options);
	}
	const prepared = await prepareTurn(scope, turn, question);
	const plan = await planForCaller(scope, request);
	const appended = await appendQuestion(scope, prepared);
	return (options) => answerInThread(scope, request, { question: appended, plan }, options);
}

function respondWithStream(
	context: ServiceContext,
	{ choice, links }: { readonly choice: KnowledgeBaseSelection; readonly links: DocumentLinks },
	answer: (options: AnswerForCallerOptions) => Promise<Answer>,
): Response {
	return eventStream(context, async (send, signal) => {
		const sender = createEventSender(send);
		const onEvent = (event: AskProgress): void =>
			sender.send(event.type === "ask.passages" ? { ...event, passages: links.link(event.passages) } : event);
		try {
			const answered = await answer({ signal, onEvent });
			const linked = linkAnswer(answered, links);
			sender.send({ type: "ask.completed", answer: { ...linked, ...toHasMoreField(choice) } });
		} catch (error) {
			if (signal.aborted) throw error;
			sender.send({ type: "ask.failed", error: toStreamedError(context, error) });
		}
		await sender.waitUntilSent();
	});
}
