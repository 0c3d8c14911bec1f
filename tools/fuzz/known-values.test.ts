import { expect, it } from "vitest";
import { createKnownValues } from "./known-values";

const DOCUMENT = "/v1/knowledge-bases/{id}/documents/{documentId}";

it("has the ids that were made, for paths and for fields, until they are deleted", () => {
	const known = createKnownValues({ id: ["default"], scope: ["ask"] });
	known.record("post", "/v1/knowledge-bases?limit=2", '{"id":"kb_1","slug":"handbook"}');
	known.record("post", "/v1/knowledge-bases", '{"id":"kb_2"}');
	expect(known.listForParameter("/v1/knowledge-bases/{id}", "id")).toEqual(["kb_2", "kb_1"]);
	expect(known.listForParameter("/v1/models/{id}", "id")).toEqual(["default"]);
	expect(known.listForField("knowledge_base_ids")).toEqual(["kb_2", "kb_1"]);
	expect(known.listForField("scope")).toEqual(["ask"]);
	known.record("delete", "/v1/knowledge-bases/kb_2", '{"id":"kb_2","deleted":true}');
	expect(known.listForParameter("/v1/knowledge-bases/{id}/documents", "id")).toEqual(["kb_1"]);
});

it("has paths whose parts belong together, and addresses with their tokens", () => {
	const known = createKnownValues({});
	known.record("post", "/v1/knowledge-bases/kb_1/documents", '{"data":[{"id":"doc_1"}]}');
	expect(known.listPaths(DOCUMENT)).toEqual(["/v1/knowledge-bases/kb_1/documents/doc_1"]);
	expect(known.listPaths(`${DOCUMENT}/retry`)).toEqual(["/v1/knowledge-bases/kb_1/documents/doc_1/retry"]);
	known.record("get", "/v1/search", '{"document_url":"http://127.0.0.1:1/v1/documents/doc_1/file?token=t"}');
	expect(known.listPaths("/v1/documents/{documentId}/file")).toEqual(["/v1/documents/doc_1/file?token=t"]);
	expect(known.listPaths("/v1/documents/{documentId}/text")).toEqual(["/v1/documents/doc_1/text?token=t"]);
	known.record("post", "/v1/agents/ag_1/run", '{"run_id":"run_1","approvals":[{"id":"apr_1"}]}');
	expect(known.listPaths("/v1/runs/{id}/approvals/{approval_id}")).toEqual([
		"/v1/runs/run_1/approvals/apr_1",
	]);
});
