import type { Feedback, FeedbackRequest } from "../types/feedback";
import type { Deleted } from "../types/page";
import { errorResponse, jsonResponse } from "./fake-response";
import type { FakeRoutes } from "./fake-routes";

/** Routes that rate runs and answers, whatever their ids are. */
export function addFeedbackRoutes(routes: FakeRoutes, now: () => number): void {
	const sent = new Map<string, Feedback>();
	const addRoutes = (
		path: string,
		toSubject: (id: string) => Pick<Feedback, "run_id" | "answer_id">,
	): void => {
		routes.on(`POST ${path}`, ({ call }, { id = "" }) => {
			// It was checked.
			const { rating, comment = null, tags = [] } = call.body as FeedbackRequest;
			const updated_at = new Date(now()).toISOString();
			const { id: feedbackId, created_at } = sent.get(id) ?? {
				id: `fb_${sent.size + 1}`,
				created_at: updated_at,
			};
			const feedback = { ...toSubject(id), id: feedbackId, rating, comment, tags, created_at, updated_at };
			sent.set(id, feedback);
			return jsonResponse(feedback);
		});
		routes.on(`DELETE ${path}`, (_, { id = "" }) => {
			const feedback = sent.get(id);
			if (feedback === undefined) return errorResponse({ status: 404, code: "feedback_not_found" });
			sent.delete(id);
			return jsonResponse({ id: feedback.id, deleted: true } satisfies Deleted);
		});
	};
	addRoutes("/v1/runs/:id/feedback", (run_id) => ({ run_id, answer_id: null }));
	addRoutes("/v1/answers/:id/feedback", (answer_id) => ({ run_id: null, answer_id }));
}
