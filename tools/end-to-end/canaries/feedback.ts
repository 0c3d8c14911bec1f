import type { CallRoute } from "./protocols";

/** Rates a run and a stored answer, reads the ratings, and takes them back. */
export async function rateAnswers(callRoute: CallRoute, run: string, question: object): Promise<void> {
	const { body: answer } = await callRoute("POST /v1/ask", {
		json: { ...question, store: true },
		revealedFields: ["answer_token"],
	});
	const rating = { json: { rating: "down", comment: "It has changed.", tags: ["old"] } };
	const rated = [
		["runs", run],
		["answers", answer.answer_id],
	] as const;
	for (const [kind, id] of rated) await callRoute(`POST /v1/${kind}/:id/feedback`, rating, id);
	for (const route of ["GET /v1/feedback", "GET /v1/feedback/export"]) await callRoute(route);
	for (const [kind, id] of rated) await callRoute(`DELETE /v1/${kind}/:id/feedback`, {}, id);
}
