import type { Answer } from "@stemma/client";
import * as z from "zod";
import {
	type AnswerForCallerOptions,
	answerForCaller,
	planForCaller,
} from "../../answering/answer-for-caller";
import type { AskProgress } from "../../answering/ask-request";
import { type DocumentLinks, linkAnswer } from "../../answering/document-links";
import {
	type KnowledgeBaseSelection,
	knowledgeBaseIds,
	selectKnowledgeBases,
	toHasMoreField,
} from "../../answering/retrieval/knowledge-base-selection";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { eventStream, wantsStream } from "../../http/event-stream";
import { withIdempotency } from "../../http/idempotency/idempotency";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { MAX_QUERY_CHARACTERS } from "../../validation/field-limits";
import { toStreamedError } from "../streamed-error";
import { createEventSender } from "./event-sender";
import { historyField } from "./history-field";

const modelName = z.string().min(1).max(200);

const MAX_TOP_K = 50;

const askBody = z.strictObject({
	question: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS),
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
});

/** `POST /v1/ask`. */
export function addAskRoute(app: ServiceApp): void {
	app.post("/v1/ask", requireCaller({ scopes: ["ask"], clientKeys: true }), async (context) => {
		const body = await readJson(context, askBody);
		const { stream: _, ...input } = body;
		const scope = toScope(context);
		const choice = await selectKnowledgeBases(scope, body.knowledge_base_ids);
		const request = { ...input, knowledge_base_ids: choice.ids };
		if (wantsStream(context, body)) {
			const plan = await planForCaller(scope, request);
			return respondWithStream(context, { choice, links: scope.documentLinks }, (options) =>
				answerForCaller(scope, request, plan, options),
			);
		}
		const work = async () => {
			const plan = await planForCaller(scope, request);
			const answered = await answerForCaller(scope, request, plan, { signal: scope.signal });
			return { status: 200, body: { ...answered, ...toHasMoreField(choice) } };
		};
		// An answer that is sent again has new addresses of its documents.
		return withIdempotency(context, body, work, (answer) =>
			linkAnswer(answer as Answer, scope.documentLinks),
		);
	});
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
