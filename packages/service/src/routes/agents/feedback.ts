import type { FeedbackRequest } from "@stemma/client";
import * as z from "zod";
import { findHiddenItems } from "../../access/hidden-items";
import type { FeedbackRepository, FeedbackSelection } from "../../feedback/feedback-repository";
import { toExportedFeedback, toFeedbackRecord } from "../../feedback/feedback-view";
import {
	deleteFeedback,
	getStoredAnswer,
	sendAnswerFeedback,
	sendRunFeedback,
} from "../../feedback/send-feedback";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson, readQuery } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { respondWithJsonLines } from "../../http/json-lines";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { requireSpace } from "../../storage/require-space";
import { timeSchema } from "../../validation/time-schema";
import { getRun } from "./runs";

const MAX_COMMENT_CHARACTERS = 4_000;
const MAX_TAGS = 20;
const MAX_TAG_CHARACTERS = 50;
/** Ratings of an export that are read and sent together. */
const EXPORT_BATCH = 50;

const rating = z.enum(["up", "down"]);
const tag = z.string().trim().min(1).max(MAX_TAG_CHARACTERS);

const feedbackBody = z.strictObject({
	rating,
	comment: z.string().trim().min(1).max(MAX_COMMENT_CHARACTERS).exactOptional(),
	tags: z.array(tag).max(MAX_TAGS).exactOptional(),
}) satisfies z.ZodType<FeedbackRequest>;

const feedbackQuery = z.strictObject({
	rating: rating.exactOptional(),
	agent_id: z.string().exactOptional(),
	tag: tag.exactOptional(),
	since: timeSchema.exactOptional(),
	until: timeSchema.exactOptional(),
});

const described = {
	rate: describeRoute({
		summary: "Rate a run",
		body: feedbackBody,
		responses: { 200: "Feedback" },
		errors: ["run_not_found", "run_not_ended", "quota_exceeded"],
		example: { rating: "up" },
	}),
	take: describeRoute({
		summary: "Take the rating of a run back",
		responses: { 200: "Deleted" },
		errors: ["run_not_found", "feedback_not_found"],
	}),
	rateAnswer: describeRoute({
		summary: "Rate an answer",
		body: feedbackBody,
		responses: { 200: "Feedback" },
		errors: ["answer_not_found", "quota_exceeded"],
		example: { rating: "down", comment: "The form has changed." },
	}),
	takeRating: describeRoute({
		summary: "Take the rating of an answer back",
		responses: { 200: "Deleted" },
		errors: ["answer_not_found", "feedback_not_found"],
	}),
	list: describeRoute({
		summary: "List feedback",
		query: feedbackQuery,
		isList: true,
		responses: { 200: "FeedbackPage" },
	}),
	export: describeRoute({
		summary: "Export feedback with what was rated",
		query: feedbackQuery,
		responses: { 200: { "application/jsonl": "ExportedFeedback" } },
	}),
};

/** `/v1/runs/:id/feedback`, `/v1/answers/:id/feedback`, and `/v1/feedback` for those who read it. */
export function addFeedbackRoutes(app: ServiceApp): void {
	const requireRun = requireCaller({ scopes: ["agents:run"], clientKeys: true });
	const requireAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	// It has the questions of others, as traces have.
	const requireTrace = requireCaller({ scopes: ["agents:trace"] });

	app.post("/v1/runs/:id/feedback", described.rate, requireRun, async (context) => {
		const scope = toScope(context);
		await requireSpace(scope);
		const body = await readJson(context, feedbackBody);
		return context.json(await sendRunFeedback(scope, await getRun(context), body));
	});

	app.delete("/v1/runs/:id/feedback", described.take, requireRun, async (context) => {
		const { id } = await getRun(context);
		return context.json(await deleteFeedback(toScope(context), id));
	});

	app.post("/v1/answers/:id/feedback", described.rateAnswer, requireAsk, async (context) => {
		const scope = toScope(context);
		await requireSpace(scope);
		const body = await readJson(context, feedbackBody);
		return context.json(await sendAnswerFeedback(scope, await getAnswer(context), body));
	});

	app.delete("/v1/answers/:id/feedback", described.takeRating, requireAsk, async (context) => {
		const { id } = await getAnswer(context);
		return context.json(await deleteFeedback(toScope(context), id));
	});

	app.get("/v1/feedback", described.list, requireTrace, (context) =>
		respondWithPage(context, {
			query: feedbackQuery,
			async list(page, query) {
				const { feedback } = context.get("workspace").store;
				const selection = await toSelection(context, query);
				return (await feedback.list({ ...page, ...selection })).map(toFeedbackRecord);
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.get("/v1/feedback/export", described.export, requireTrace, async (context) => {
		const selection = await toSelection(context, readQuery(context, feedbackQuery));
		return respondWithJsonLines(context, readBatches(context.get("workspace").store.feedback, selection), {
			"content-disposition": 'attachment; filename="feedback.jsonl"',
		});
	});
}

const getAnswer = (context: ServiceContext) =>
	getStoredAnswer(toScope(context), context.req.param("id") ?? "", context.req.header("stemma-answer-token"));

/** Selects feedback that the caller may see: who may not use all knowledge bases sees none on answers without an agent. */
async function toSelection(
	context: ServiceContext,
	{ agent_id, ...query }: z.infer<typeof feedbackQuery>,
): Promise<Omit<FeedbackSelection, "limit" | "after">> {
	const { agentIds: withoutAgents, knowledgeBaseIds, visibleTo } = await findHiddenItems(toScope(context));
	return { ...query, agent: agent_id, withoutAgents, visibleTo, withoutAnswers: knowledgeBaseIds.length > 0 };
}

/** All feedback of a selection, newest first. What is sent meanwhile is not among it. */
async function* readBatches(
	feedback: FeedbackRepository,
	selection: Omit<FeedbackSelection, "limit" | "after">,
): AsyncGenerator<readonly unknown[]> {
	let after: string | undefined;
	for (;;) {
		const listed = await feedback.list({ ...selection, limit: EXPORT_BATCH, after });
		const batch = listed.slice(0, EXPORT_BATCH);
		if (batch.length > 0) yield batch.map(toExportedFeedback);
		if (listed.length <= EXPORT_BATCH) return;
		after = batch.at(-1)?.id;
	}
}
