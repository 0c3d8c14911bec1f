import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../../http/test-support/test-service";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.end());

it("a document is found by its id alone, as citations name it", async () => {
	const { id } = (await service.send("/v1/knowledge-bases", { json: { name: "Office" } })).body;
	const path = `/v1/knowledge-bases/${id}/documents`;
	const [added] = (await service.send(path, { json: { text: "The office opens at nine." } })).body.data;
	const found = await service.send(`/v1/documents/${added.id}`);
	expect([found.status, found.body.id, found.body.knowledge_base_id]).toEqual([200, added.id, id]);
	const unknown = await service.send("/v1/documents/doc_unknown");
	expect([unknown.status, unknown.body.error.code]).toEqual([404, "document_not_found"]);
});
