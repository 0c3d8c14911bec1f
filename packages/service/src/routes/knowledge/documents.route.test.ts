import type { DocumentUpload, KnowledgeBase, KnowledgeDocument, Page, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectApiError, readApiError } from "../../test-support/expect-error";
import type { TestRequest } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

let deployment: TestDeployment;
let workspace: TestWorkspace;
let base: KnowledgeBase;
let path: string;

beforeAll(async () => {
	deployment = await openTestDeployment(built, { limits: { upload_bytes: 100_000 } });
	workspace = await deployment.addWorkspace("tests");
});
afterAll(() => deployment?.close());
beforeEach(async () => {
	base = await make("/v1/knowledge-bases", { json: { name: "Handbook" } });
	path = `/v1/knowledge-bases/${base.id}/documents`;
});

const make = <Made>(to: string, request: TestRequest): Promise<Made> =>
	getBody<Made>(workspace.send("POST", to, request));
const get = <Body>(from: string): Promise<Body> => getBody<Body>(workspace.send("GET", from));
const search = (json: object, token?: string) =>
	workspace.send("POST", "/v1/search", {
		json: { query: "refunds", knowledge_base_ids: [base.id], ...json },
		...(token && { token }),
	});

type FormPart = readonly [name: string, value: string | File];

/** As bytes: a form that is cut off while it is still written would be an error of the writer. */
async function toForm(...parts: readonly FormPart[]): Promise<TestRequest> {
	const form = new FormData();
	for (const [name, value] of parts) form.append(name, value);
	const { headers, body } = new Request("http://form.test", { method: "POST", body: form });
	const bytes = await new Response(body).arrayBuffer();
	return { body: bytes, headers: { "content-type": headers.get("content-type") ?? "" } };
}

const file = (name: string, text: string, type = ""): FormPart => ["file", new File([text], name, { type })];

describe("knowledge bases", () => {
	it("are made, changed, listed in pages and deleted", async () => {
		expect(base).toMatchObject({ id: expect.stringMatching(/^kb_/), name: "Handbook", passage_count: 0 });
		const changed = workspace.send("PATCH", `/v1/knowledge-bases/${base.id}`, {
			json: { description: "New" },
		});
		expect(await getBody(changed)).toMatchObject({ name: "Handbook", description: "New" });
		await make("/v1/knowledge-bases", { json: { name: "Other" } });
		const first = await get<Page<KnowledgeBase>>("/v1/knowledge-bases?limit=1");
		expect(first).toMatchObject({ data: [{}], has_more: true, next: first.data[0]?.id });
		expect(await getBody(workspace.send("DELETE", `/v1/knowledge-bases/${base.id}`))).toEqual({
			id: base.id,
			deleted: true,
		});
		expectApiError(await workspace.send("GET", path), 404, "knowledge_base_not_found");
		expectApiError(
			await workspace.send("POST", path, { json: { text: "x" } }),
			404,
			"knowledge_base_not_found",
		);
	});

	it("are made once for one Idempotency-Key", async () => {
		const request = { json: { name: "Once" }, headers: { "idempotency-key": base.id } };
		expect(await make("/v1/knowledge-bases", request)).toEqual(await make("/v1/knowledge-bases", request));
	});
});

describe("documents", () => {
	it("come as JSON", async () => {
		const json = { text: "# Shop\n\nRefunds.", source: "shop", metadata: { lang: "en" } };
		const { data } = await make<DocumentUpload>(path, { json });
		expect(data).toMatchObject([
			{ status: "queued", format: "markdown", source: "shop", metadata: { lang: "en" } },
		]);
		await waitUntilIndexed(workspace.send, base.id);
		expect(await get(`${path}/${data[0]?.id}`)).toMatchObject({ title: "Shop", status: "ready" });
	});

	it("come as files, whose names are labels only", async () => {
		const { data } = await make<DocumentUpload>(
			path,
			await toForm(
				["source", "one"],
				["source", "two"],
				["metadata", '{"lang":"en"}'],
				file("../../etc/passwd.txt", "Refunds take 14 days."),
				file("C:\\docs\\page", "<h1>Shop</h1><p>Refunds</p>", "text/html"),
			),
		);
		expect(data).toMatchObject([
			{ title: "passwd.txt", format: "text", source: "one", metadata: { lang: "en" } },
			{ title: "page", format: "html", source: "two", metadata: { lang: "en" } },
		]);
		await waitUntilIndexed(workspace.send, base.id);
		const found = await getBody<SearchResult>(search({}));
		expect(found.passages.map(({ title }) => title).sort()).toEqual(["Shop", "passwd.txt"]);
		expect(found.receipt).toEqual([]);
	});

	it("are listed by status and source", async () => {
		for (const source of ["a", "b"]) await make(path, { json: { text: `Text ${source}`, source } });
		await make(path, { json: { text: " ", source: "empty" } });
		await expect
			.poll(async () => (await get<Page<KnowledgeDocument>>(`${path}?status=failed`)).data)
			.toMatchObject([{ source: "empty", error: { code: "no_text" } }]);
		expect((await get<Page<KnowledgeDocument>>(`${path}?source=b`)).data).toMatchObject([{ source: "b" }]);
		const page = await get<Page<KnowledgeDocument>>(`${path}?limit=2`);
		expect(page).toMatchObject({ has_more: true, next: page.data[1]?.id });
		expect(await get(`${path}?limit=2&after=${page.next}`)).toMatchObject({ data: [{}], has_more: false });
		expectApiError(await workspace.send("GET", `${path}?status=lost`), 400, "invalid_request");
	});

	it("are taken once for one Idempotency-Key, as files too", async () => {
		const headers = { "idempotency-key": "form" };
		const send = async (text: string) => {
			const form = await toForm(file("a.md", text));
			return workspace.send("POST", path, { ...form, headers: { ...form.headers, ...headers } });
		};
		const first = await getBody<DocumentUpload>(send("Refunds"));
		expect(await getBody(send("Refunds"))).toEqual(first);
		expectApiError(await send("Others"), 409, "idempotency_conflict");
	});

	it("are deleted", async () => {
		const { data } = await make<DocumentUpload>(path, { json: { text: "Refunds" } });
		const one = `${path}/${data[0]?.id}`;
		expect(await getBody(workspace.send("DELETE", one))).toEqual({ id: data[0]?.id, deleted: true });
		for (const method of ["GET", "DELETE"])
			expectApiError(await workspace.send(method, one), 404, "document_not_found");
	});

	const long = "x".repeat(100_001);
	const many = Array.from({ length: 101 }, (_, index) => file(`${index}.md`, "x"));
	it.each<[string, TestRequest | Promise<TestRequest>, number, string, string?]>([
		["no file", toForm(["title", "x"]), 400, "invalid_request", "file"],
		[
			"a file in another part",
			toForm(["document", new File(["x"], "a.md")]),
			400,
			"unknown_field",
			"document",
		],
		["an unknown field", toForm(file("a.md", "x"), ["tags", "x"]), 400, "unknown_field", "tags"],
		["a field named like a method", toForm(file("a.md", "x"), ["__proto__", "x"]), 400, "unknown_field"],
		[
			"a title for two",
			toForm(file("a.md", "x"), file("b.md", "y"), ["title", "x"]),
			400,
			"invalid_request",
			"title",
		],
		[
			"two titles",
			toForm(file("a.md", "x"), ["title", "x"], ["title", "y"]),
			400,
			"invalid_request",
			"title",
		],
		[
			"too few sources",
			toForm(file("a.md", "x"), file("b.md", "y"), ["source", "x"]),
			400,
			"invalid_request",
			"source",
		],
		[
			"metadata that is not JSON",
			toForm(file("a.md", "x"), ["metadata", "{"]),
			400,
			"invalid_request",
			"metadata",
		],
		[
			"metadata that is no object",
			toForm(file("a.md", "x"), ["metadata", "[]"]),
			400,
			"invalid_request",
			"metadata",
		],
		["a format that is not read", toForm(file("a.md", "x"), file("a.dwg", "x")), 422, "unsupported_format"],
		["an image", toForm(file("scan.PNG", "x")), 422, "needs_ocr"],
		["a file of an old Office program", toForm(file("a.doc", "x")), 422, "unsupported_format"],
		["a file that is too large", toForm(file("a.md", "x"), file("b.md", long)), 413, "body_too_large"],
		["too many files", toForm(...many), 400, "invalid_request"],
		[
			"a broken form",
			{ body: "--x\r\nnothing", headers: { "content-type": "multipart/form-data; boundary=x" } },
			400,
			"invalid_request",
		],
		[
			"a form without a boundary",
			{ body: "x", headers: { "content-type": "multipart/form-data" } },
			400,
			"invalid_request",
		],
		["text that is not there", { json: { text: "" } }, 400, "invalid_request", "text"],
		["text that is too long", { json: { text: long.repeat(2) } }, 413, "body_too_large"],
		[
			"another media type",
			{ body: "x", headers: { "content-type": "text/markdown" } },
			415,
			"unsupported_media_type",
		],
	])("refuses %s, and all that comes with it", async (_, request, status, code, param) => {
		const answer = await workspace.send("POST", path, await request);
		expectApiError(answer, status, code);
		if (param !== undefined) expect(readApiError(answer)).toMatchObject({ param });
		expect((await get<Page<KnowledgeDocument>>(path)).data).toEqual([]);
	});
});

describe("search", () => {
	it("is for client keys too, within their knowledge bases", async () => {
		await make(path, { json: { text: "Refunds take 14 days." } });
		await waitUntilIndexed(workspace.send, base.id);
		const other = await make<KnowledgeBase>("/v1/knowledge-bases", { json: { name: "Other" } });
		const { client_key } = await make<{ client_key: string }>("/v1/client-keys", {
			json: { name: "app", native: true, knowledge_base_ids: [base.id] },
		});
		expect((await getBody<SearchResult>(search({}, client_key))).passages).toHaveLength(1);
		const beyond = await search({ knowledge_base_ids: [base.id, other.id] }, client_key);
		expectApiError(beyond, 404, "knowledge_base_not_found");
		expectApiError(
			await workspace.send("GET", path, { token: client_key }),
			403,
			"not_allowed_for_client_key",
		);
	});

	it("filters by metadata", async () => {
		for (const lang of ["en", "de"])
			await make(path, { json: { text: `Refunds ${lang}`, metadata: { lang } } });
		await waitUntilIndexed(workspace.send, base.id);
		const { passages } = await getBody<SearchResult>(search({ filter: { lang: "de" } }));
		expect(passages.map(({ text }) => text)).toEqual(["Refunds de"]);
	});

	it.each([
		[{ min_score: 0.5 }, 422, "min_score_unavailable"],
		[{ query: " " }, 400, "invalid_request"],
		[{ top_k: 0 }, 400, "invalid_request"],
		[{ knowledge_base_ids: [] }, 400, "invalid_request"],
		[{ knowledge_base_ids: ["kb_none"] }, 404, "knowledge_base_not_found"],
		[{ limit: 5 }, 400, "unknown_field"],
	])("refuses %j", async (json, status, code) => {
		expectApiError(await search(json), status, code);
	});
});
