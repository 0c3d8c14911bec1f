import type { Answer } from "@stemma/client";
import { z } from "zod";
import { toStreamedError } from "../answering/answer-error";
import { ask, demandAskable } from "../answering/ask";
import { demandAllowedKnowledgeBases } from "../answering/caller-limits";
import { createCallerReceipts } from "../answering/caller-receipts";
import { createEventSender } from "../answering/event-sender";
import { requireCaller } from "../http/authenticate";
import { eventStream, wantsStream } from "../http/event-stream";
import { withIdempotency } from "../http/idempotency";
import { readJson } from "../http/read-json";
import type { ServiceApp, ServiceContext } from "../http/service-app";

const MAX_TEXT = 10_000;

const modelName = z.string().min(1).max(200);

const askBody = z.strictObject({
	question: z.string().trim().min(1).max(MAX_TEXT),
	knowledge_base_ids: z.array(z.string()).min(1).max(100),
	history: z
		.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string().max(100_000) }))
		.max(100)
		.exactOptional(),
	model: z
		.strictObject({ provider: modelName.exactOptional(), model: modelName.exactOptional() })
		.exactOptional(),
	top_k: z.number().int().min(1).max(50).exactOptional(),
	stream: z.boolean().exactOptional(),
});

type AskBody = z.infer<typeof askBody>;

/** `POST /v1/ask`. */
export function addAskRoute(app: ServiceApp): void {
	app.post("/v1/ask", requireCaller({ scopes: ["ask"], clientKeys: true }), async (context) => {
		const body = await readJson(context, askBody);
		const caller = context.get("caller");
		demandAllowedKnowledgeBases(caller, body.knowledge_base_ids);
		if (wantsStream(context, body)) {
			await demandAskable(body, toAskOptions(context));
			return streamAnswer(context, body);
		}
		return withIdempotency(context, body, async () => ({
			status: 200,
			body: await answer(context, body, context.req.raw.signal),
		}));
	});
}

async function answer(
	context: ServiceContext,
	{ stream: _, ...request }: AskBody,
	signal: AbortSignal,
	onEvent?: Parameters<typeof ask>[1]["onEvent"],
): Promise<Answer> {
	const receipts = createCallerReceipts(context);
	const answered = await ask(request, {
		...toAskOptions(context),
		receipts,
		signal,
		...(onEvent && { onEvent }),
	}).catch(receipts.fail);
	await receipts.written();
	return receipts.exposure === "answer" ? { ...answered, receipt: [] } : answered;
}

function toAskOptions(context: ServiceContext) {
	const { database, knowledge, settings } = context.get("workspace");
	const { models } = context.get("kernel");
	return { database, knowledge, settings, models, isClientKey: context.get("caller").kind === "client_key" };
}

function streamAnswer(context: ServiceContext, body: AskBody): Response {
	return eventStream(context, async (send, signal) => {
		const sender = createEventSender(send);
		try {
			const answered = await answer(context, body, signal, sender.send);
			sender.send({ type: "ask.completed", answer: answered });
		} catch (error) {
			if (signal.aborted) throw error;
			sender.send({ type: "ask.failed", error: toStreamedError(context, error) });
		}
		await sender.sent();
	});
}
