import type { CallRoute } from "./protocols";

/** Keeps a conversation of a question, reads it in all ways, and deletes it. */
export async function keepThread(callRoute: CallRoute, question: object): Promise<void> {
	const { body: thread } = await callRoute("POST /v1/threads", { json: { metadata: { of: "canary" } } });
	await callRoute("POST /v1/ask", { json: { ...question, thread_id: thread.id } });
	await callRoute("POST /v1/threads/:id/title", { json: {} }, thread.id);
	await callRoute("PATCH /v1/threads/:id", { json: { title: "Hours" } }, thread.id);
	await callRoute("GET /v1/threads");
	for (const part of ["", "/messages", "/export"])
		await callRoute(`GET /v1/threads/:id${part}`, {}, thread.id);
	await callRoute("DELETE /v1/threads/:id", {}, thread.id);
}
