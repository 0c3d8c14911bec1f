import type { CallRoute } from "./protocols";

/** Searches as Dify does, and mirrors a file into a knowledge base as Open WebUI's oikb does. */
export async function connectOthers(callRoute: CallRoute, base: string): Promise<void> {
	const retrieval_setting = { top_k: 3, score_threshold: 0 };
	await callRoute("POST /retrieval", { json: { knowledge_id: base, query: "office", retrieval_setting } });

	const knowledge = "/api/v1/knowledge/:id";
	const manifest = [{ path: "", filename: "hours.md", checksum: "1", size: 5 }];
	await callRoute(`POST ${knowledge}/sync/diff`, { json: { manifest } }, base);
	await callRoute(`POST ${knowledge}/dirs/create`, { json: { name: "docs" } }, base);
	let file = "";
	for (const path of ["/api/v1/files", "/api/v1/files/"]) {
		const body = new FormData();
		body.set("metadata", JSON.stringify({ knowledge_id: base, file_hash: "1" }));
		body.set("file", new File(["Nine."], "hours.md"));
		file = (await callRoute(`POST ${path}`, { body })).body.id;
	}
	await callRoute("GET /api/v1/files/:id/process/status", {}, file);
	await callRoute(`POST ${knowledge}/file/add`, { json: { file_id: file } }, base);
	for (const part of ["", "/files"]) await callRoute(`GET ${knowledge}${part}`, {}, base);
	await callRoute(`POST ${knowledge}/sync/cleanup`, { json: { file_ids: [file] } }, base);
	await callRoute(`POST ${knowledge}/reset`, {}, base);
}
