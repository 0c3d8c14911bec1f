import { z } from "zod";
import { answerCaller, toAskOptions } from "../answering/answer-caller";
import { toStreamedError } from "../answering/answer-error";
import { type AskedQuestion, demandAskable } from "../answering/ask";
import { createEventSender } from "../answering/event-sender";
import {
	chooseKnowledgeBases,
	type KnowledgeBaseChoice,
	knowledgeBaseIds,
	toChoiceNote,
} from "../answering/knowledge-base-choice";
import { requireCaller } from "../http/authenticate";
import { eventStream, wantsStream } from "../http/event-stream";
import { MAX_QUERY_CHARACTERS } from "../http/field-limits";
import { withIdempotency } from "../http/idempotency";
import { readJson } from "../http/read-json";
import type { ServiceApp, ServiceContext } from "../http/service-app";

const modelName = z.string().min(1).max(200);

const MAX_MESSAGE_CHARACTERS = 100_000;
/** Text parts of one message. */
const MAX_MESSAGE_PARTS = 100;
const MAX_HISTORY = 100;
const MAX_TOP_K = 50;

/** Text, or text parts, as text. */
const content = z
	.union([
		z.string().max(MAX_MESSAGE_CHARACTERS),
		z
			.array(z.object({ type: z.literal("text"), text: z.string().max(MAX_MESSAGE_CHARACTERS) }))
			.max(MAX_MESSAGE_PARTS),
	])
	.transform((said) => (typeof said === "string" ? said : said.map(({ text }) => text).join("")));

const askBody = z.strictObject({
	question: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS),
	knowledge_base_ids: knowledgeBaseIds.exactOptional(),
	history: z
		.array(z.strictObject({ role: z.enum(["user", "assistant"]), content }))
		.max(MAX_HISTORY)
		.exactOptional(),
	model: z
		.strictObject({ provider: modelName.exactOptional(), model: modelName.exactOptional() })
		.exactOptional(),
	top_k: z.number().int().min(1).max(MAX_TOP_K).exactOptional(),
	stream: z.boolean().exactOptional(),
});

/** `POST /v1/ask`. */
export function addAskRoute(app: ServiceApp): void {
	app.post("/v1/ask", requireCaller({ scopes: ["ask"], clientKeys: true }), async (context) => {
		const body = await readJson(context, askBody);
		const { stream: _, ...asked } = body;
		const choice = await chooseKnowledgeBases(context, body.knowledge_base_ids);
		const request = { ...asked, knowledge_base_ids: choice.ids };
		if (wantsStream(context, body)) {
			await demandAskable(request, toAskOptions(context));
			return streamAnswer(context, request, choice);
		}
		return withIdempotency(context, body, async () => ({
			status: 200,
			body: {
				...(await answerCaller(context, request, { signal: context.req.raw.signal })),
				...toChoiceNote(choice),
			},
		}));
	});
}

function streamAnswer(
	context: ServiceContext,
	request: AskedQuestion,
	choice: KnowledgeBaseChoice,
): Response {
	return eventStream(context, async (send, signal) => {
		const sender = createEventSender(send);
		try {
			const answered = await answerCaller(context, request, { signal, onEvent: sender.send });
			sender.send({ type: "ask.completed", answer: { ...answered, ...toChoiceNote(choice) } });
		} catch (error) {
			if (signal.aborted) throw error;
			sender.send({ type: "ask.failed", error: toStreamedError(context, error) });
		}
		await sender.sent();
	});
}
