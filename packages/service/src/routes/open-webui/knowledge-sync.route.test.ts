import { createHash } from "node:crypto";
import type { AuditRecord, KnowledgeBase, KnowledgeDocument, Page, Source } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestRequest, TestResponse } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

// Requests have the form in which `oikb` sends them: `client.py`, over httpx, of the versions 0.3 to 0.6.

interface Difference {
	readonly added: readonly { readonly path: string; readonly filename: string }[];
	readonly modified: readonly {
		readonly path: string;
		readonly filename: string;
		readonly stale_file_id: string;
	}[];
	readonly deleted: readonly { readonly file_id: string; readonly filename: string }[];
	readonly mkdir: readonly string[];
	readonly rmdir: readonly string[];
	readonly unmodified_count: number;
	readonly directory_map: Readonly<Record<string, string>>;
}

interface File {
	readonly id: string;
	readonly filename: string;
	readonly data?: { readonly status: string };
	readonly meta: { readonly name: string; readonly size: number; readonly file_hash: string };
}

/** Files of a source, by path and name. */
type Files = Readonly<Record<string, string>>;

let deployment: TestDeployment;
let workspace: TestWorkspace;
let other: TestWorkspace;
let base: KnowledgeBase;
let token: string;
beforeAll(async () => {
	deployment = await openTestDeployment(built, { limits: { upload_bytes: 100_000 } });
	workspace = await deployment.addWorkspace("first");
	other = await deployment.addWorkspace("other");
	const { client_id, client_secret } = workspace.credentials;
	token = `${client_id}.${client_secret}`;
});
afterAll(() => deployment?.close());
let count = 0;
beforeEach(async () => {
	const json = { name: `Wiki ${++count}`, description: "Of the team." };
	base = await getBody(workspace.send("POST", "/v1/knowledge-bases", { json }));
});

const send = (method: string, path: string, request: TestRequest = {}): Promise<TestResponse> =>
	workspace.send(method, `/api/v1${path}`, { token, ...request });

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const split = (key: string) => ({
	path: key.includes("/") ? key.slice(0, key.lastIndexOf("/")) : "",
	filename: key.slice(key.lastIndexOf("/") + 1),
});

const diff = (files: Files, id = base.id): Promise<Difference> => {
	const manifest = Object.entries(files).map(([key, text]) => ({
		...split(key),
		...{ checksum: hashOf(text), size: Buffer.byteLength(text) },
	}));
	return getBody(send("POST", `/knowledge/${id}/sync/diff`, { json: { manifest } }));
};

const BOUNDARY = "a4c0f1b2d3e4958677869504a3b2c1d0";

/** A form as httpx writes it: fields first, then the file. */
function toForm(filename: string, content: string, metadata: object): TestRequest {
	const type = filename.endsWith(".md") ? "text/markdown" : "application/octet-stream";
	const name = filename.replaceAll("\\", "\\\\").replaceAll('"', "%22");
	const body = [
		`--${BOUNDARY}`,
		'Content-Disposition: form-data; name="metadata"',
		"",
		JSON.stringify(metadata),
		`--${BOUNDARY}`,
		`Content-Disposition: form-data; name="file"; filename="${name}"`,
		`Content-Type: ${type}`,
		"",
		content,
		`--${BOUNDARY}--`,
		"",
	].join("\r\n");
	return { body, headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` } };
}

const upload = (key: string, text: string, directory_id?: string, id = base.id): Promise<TestResponse> =>
	send(
		"POST",
		"/files/",
		toForm(split(key).filename, text, {
			...{ knowledge_id: id, file_hash: hashOf(text) },
			...(directory_id !== undefined && { directory_id }),
		}),
	);

/** All that `run_sync` of oikb does, and what it tells at its end. */
async function sync(files: Files, id = base.id) {
	const found = await diff(files, id);
	const stale = [
		...found.deleted.map(({ file_id }) => file_id),
		...found.modified.map(({ stale_file_id }) => stale_file_id),
	];
	if (stale.length > 0 || found.rmdir.length > 0)
		await getBody(send("POST", `/knowledge/${id}/sync/cleanup`, { json: { file_ids: stale } }));
	const errors: string[] = [];
	for (const { path, filename } of [...found.added, ...found.modified]) {
		const key = path === "" ? filename : `${path}/${filename}`;
		const { status } = await upload(key, files[key] ?? "", found.directory_map[path], id);
		if (status >= 400) errors.push(`${key}: ${status}`);
	}
	return {
		...{ added: found.added.length, modified: found.modified.length, deleted: found.deleted.length },
		...{ unmodified: found.unmodified_count, errors },
	};
}

const listDocuments = async (): Promise<readonly KnowledgeDocument[]> =>
	(await getBody<Page<KnowledgeDocument>>(workspace.send("GET", `/v1/knowledge-bases/${base.id}/documents`)))
		.data;
const listSources = async (): Promise<readonly Source[]> =>
	(await getBody<Page<Source>>(workspace.send("GET", `/v1/knowledge-bases/${base.id}/sources`))).data;
const search = async (query: string): Promise<readonly string[]> => {
	const json = { query, knowledge_base_ids: [base.id] };
	const { passages } = await getBody<{ passages: { text: string }[] }>(
		workspace.send("POST", "/v1/search", { json }),
	);
	return passages.map(({ text }) => text);
};

const FILES: Files = {
	"hours.md": "The harbour opens at nine.",
	"docs/fees.md": "A berth costs ten.",
	'docs/größe/say "max".md': "Boats have at most twelve metres.",
};

describe("oikb mirrors files into a knowledge base", () => {
	it("adds, changes and deletes them, and does nothing where nothing has changed", async () => {
		expect(await sync(FILES)).toEqual({ added: 3, modified: 0, deleted: 0, unmodified: 0, errors: [] });
		await waitUntilIndexed(workspace.send, base.id);
		expect(await search("harbour")).toEqual(["The harbour opens at nine."]);
		expect(await sync(FILES)).toEqual({ added: 0, modified: 0, deleted: 0, unmodified: 3, errors: [] });
		const before = await listDocuments();
		const { "docs/fees.md": _, ...rest } = FILES;
		const changed = { ...rest, "hours.md": "The harbour opens at eight.", "new.md": "New." };
		expect(await sync(changed)).toEqual({ added: 1, modified: 1, deleted: 1, unmodified: 1, errors: [] });
		await waitUntilIndexed(workspace.send, base.id);
		expect(await search("harbour")).toEqual(["The harbour opens at eight."]);
		const after = await listDocuments();
		expect(after.map(({ source }) => source).sort()).toEqual(Object.keys(changed).sort());
		// A changed file keeps its document.
		const idOf = (documents: readonly KnowledgeDocument[]) =>
			documents.find(({ source }) => source === "hours.md")?.id;
		expect(idOf(after)).toBe(idOf(before));
		const [source, ...more] = await listSources();
		expect(more).toEqual([]);
		expect(source).toMatchObject({
			...{ name: "Pushed files", settings: { kind: "push" }, every_minutes: null, next_sync_at: null },
			last_sync: { status: "succeeded", counts: { added: 4, changed: 0, removed: 1 } },
		});
		const audit = await getBody<Page<AuditRecord>>(workspace.send("GET", "/v1/audit?action=source.created"));
		expect(audit.data[0]).toMatchObject({ target: source?.id, actor: workspace.credentials.client_id });
	});

	it("never touches what was uploaded by hand or belongs to another source", async () => {
		const path = `/v1/knowledge-bases/${base.slug}/documents`;
		const json = { text: "By hand.", source: "hours.md" };
		const { data } = await getBody<{ data: KnowledgeDocument[] }>(workspace.send("POST", path, { json }));
		const byHand = data[0]?.id ?? "";
		expect(await sync(FILES, base.slug)).toMatchObject({ added: 3, deleted: 0 });
		// What oikb would never send, but a program might.
		await getBody(
			send("POST", `/knowledge/${base.id}/sync/cleanup`, { json: { file_ids: [byHand, "x", ""] } }),
		);
		await getBody(send("POST", `/knowledge/${base.id}/reset?include_directories=true`));
		expect((await listDocuments()).map(({ id }) => id)).toEqual([byHand]);
		expect(await sync({ "hours.md": "By hand." })).toMatchObject({ added: 1, deleted: 0 });
		expect(await listDocuments()).toHaveLength(2);
	});

	it("keeps files of one content apart, and the document as long as one of them is there", async () => {
		const copies = { "a.md": "Copied.", "b.md": "Copied." };
		expect(await sync(copies)).toMatchObject({ added: 2, errors: [] });
		expect(await sync(copies)).toMatchObject({ unmodified: 2 });
		expect(await listDocuments()).toHaveLength(1);
		expect(await sync({ "b.md": "Copied." })).toMatchObject({ deleted: 1, unmodified: 1 });
		expect((await listDocuments()).map(({ source }) => source)).toEqual(["b.md"]);
	});

	it("creates one source, however many files arrive at once", async () => {
		const keys = Array.from({ length: 8 }, (_, number) => `${number}.md`);
		const statuses = await Promise.all(
			keys.map(async (key) => (await upload(key, `Text of ${key}.`)).status),
		);
		expect(statuses).toEqual(keys.map(() => 200));
		expect(await listSources()).toHaveLength(1);
		expect(await listDocuments()).toHaveLength(8);
	});

	it("goes on with the other files where one cannot be taken", async () => {
		const files = { "a.md": "Fine.", "b.exe": "MZ", "c.md": "x".repeat(100_001) };
		expect(await sync(files)).toMatchObject({ added: 3, errors: ["b.exe: 422", "c.md: 413"] });
		expect((await listDocuments()).map(({ source }) => source)).toEqual(["a.md"]);
	});

	it("is no source that is read: a sync of it removes nothing", async () => {
		await sync(FILES);
		const [source] = await listSources();
		const path = `/v1/knowledge-bases/${base.id}/sources/${source?.id}`;
		await getBody(workspace.send("POST", `${path}/sync`, { json: { force: true } }));
		const read = () => getBody<Source>(workspace.send("GET", path));
		await expect.poll(async () => (await read()).last_sync?.counts.unchanged).toBe(3);
		expect(await listDocuments()).toHaveLength(3);
		expect(await sync(FILES)).toMatchObject({ unmodified: 3 });
		// Its documents stay as uploads where that is wanted.
		await getBody(workspace.send("DELETE", `${path}?keep_documents=true`));
		expect(await sync(FILES)).toMatchObject({ added: 3, deleted: 0 });
	});
});

describe("oikb reads", () => {
	it("a knowledge base and its files, in pages and at once", async () => {
		await sync(FILES);
		await waitUntilIndexed(workspace.send, base.id);
		const known = await getBody<{ files: File[] }>(send("GET", `/knowledge/${base.slug}`));
		expect(known).toMatchObject({ id: base.id, name: base.name, description: "Of the team." });
		expect(known.files.map(({ meta }) => meta.name)).toEqual(Object.keys(FILES).sort());
		expect(known.files[0]).toMatchObject({
			filename: "fees.md",
			meta: { size: 18, file_hash: hashOf("A berth costs ten.") },
		});
		const page = (query: string) =>
			getBody<{ items: File[]; total: number }>(send("GET", `/knowledge/${base.id}/files${query}`));
		expect(await page("")).toEqual({ items: known.files, total: 3 });
		expect(await page("?page=1&limit=2")).toEqual({ items: known.files.slice(0, 2), total: 3 });
		expect(await page("?page=2&limit=2")).toEqual({ items: known.files.slice(2), total: 3 });
		expect(await page("?page=3&limit=2")).toEqual({ items: [], total: 3 });
	});

	it("what became of a file, and adds one that is there already", async () => {
		const { body } = await upload("hours.md", "The harbour opens at nine.");
		const { id } = body as File;
		expect(body).toMatchObject({ status: true, filename: "hours.md" });
		// It may be read at once.
		expect(["pending", "processing"]).toContain((body as File).data?.status);
		await waitUntilIndexed(workspace.send, base.id);
		const readStatus = (file: string) => send("GET", `/files/${file}/process/status`);
		expect(await getBody(readStatus(id))).toEqual({ status: "completed" });
		const { body: broken } = await upload("broken.pdf", "No PDF.");
		await expect
			.poll(async () => getBody(readStatus((broken as File).id)))
			.toEqual({ status: "failed", error: expect.any(String) });
		expect((await readStatus("none")).status).toBe(404);
		const add = (file_id: string) => send("POST", `/knowledge/${base.id}/file/add`, { json: { file_id } });
		// A sync adds each of its files: a list of all of them each time would be long.
		expect((await getBody<{ files: File[] }>(add(id))).files).toMatchObject([{ id, filename: "hours.md" }]);
		const json = { name: "Another base" };
		const other = await getBody<{ id: string }>(workspace.send("POST", "/v1/knowledge-bases", { json }));
		const elsewhere = await send("POST", `/knowledge/${other.id}/file/add`, { json: { file_id: id } });
		expect([(await add("none")).status, elsewhere.status]).toEqual([404, 404]);
	});

	it("ids of folders, which need not be made", async () => {
		const create = (name: string, parent_id?: string) =>
			getBody<{ id: string }>(
				send("POST", `/knowledge/${base.id}/dirs/create`, {
					json: { name, ...(parent_id !== undefined && { parent_id }) },
				}),
			);
		const { id: docs } = await create("docs");
		const { id: api } = await create("api", docs);
		const { directory_map } = await diff({ "docs/api/a.md": "A." });
		expect(directory_map).toEqual({ docs, "docs/api": api });
		await upload("a.md", "A.", api);
		expect((await listDocuments()).map(({ source }) => source)).toEqual(["docs/api/a.md"]);
	});
});

describe("a request of oikb is refused", () => {
	const expectDetail = ({ status, body }: TestResponse, expected: number): void =>
		expect([status, body]).toEqual([expected, { detail: expect.stringMatching(/\S/) }]);

	it("without a credential that may write", async () => {
		const manifest = { json: { manifest: [] } };
		const path = `/knowledge/${base.id}/sync/diff`;
		for (const wrong of [null, "sk-wrong", `${token}x`])
			expectDetail(await send("POST", path, { ...manifest, token: wrong }), 401);
		const json = { name: "page", native: true };
		const key = await getBody<{ client_key: string }>(workspace.send("POST", "/v1/client-keys", { json }));
		expectDetail(await send("POST", path, { ...manifest, token: key.client_key }), 403);
		const client = await getBody<{ id: string; client_secret: string }>(
			workspace.send("POST", "/v1/clients", { json: { name: "reader", scopes: ["knowledge:read"] } }),
		);
		expectDetail(
			await send("POST", path, { ...manifest, token: `${client.id}.${client.client_secret}` }),
			403,
		);
		expect((await send("POST", path, { ...manifest, token: workspace.token })).status).toBe(200);
	});

	it("for what belongs to another workspace", async () => {
		const { body } = await upload("hours.md", "Ours.");
		const theirs = { token: other.token };
		expectDetail(await send("GET", `/knowledge/${base.id}`, theirs), 404);
		expectDetail(await send("GET", `/files/${(body as File).id}/process/status`, theirs), 404);
		expectDetail(
			await send("POST", `/knowledge/${base.id}/sync/diff`, { ...theirs, json: { manifest: [] } }),
			404,
		);
		const metadata = { knowledge_id: base.id, file_hash: "1" };
		expectDetail(await send("POST", "/files/", { ...theirs, ...toForm("a.md", "Theirs.", metadata) }), 404);
	});

	it.each<readonly [string, object]>([
		["no manifest", {}],
		["a path with empty names", { manifest: [{ path: "a//b", filename: "c", checksum: "1", size: 1 }] }],
		["a path from the root", { manifest: [{ path: "/a", filename: "c", checksum: "1", size: 1 }] }],
		["no checksum", { manifest: [{ path: "", filename: "c", size: 1 }] }],
		["an unknown field", { manifest: [], delete: true }],
	])("with %s", async (_, json) => {
		expectDetail(await send("POST", `/knowledge/${base.id}/sync/diff`, { json }), 400);
	});

	it("where a file does not say what it is for", async () => {
		const metadata = { knowledge_id: base.id, file_hash: "1" };
		for (const wrong of [{}, { file_hash: "1" }, { ...metadata, directory_id: "x" }, { ...metadata, x: 1 }])
			expectDetail(await send("POST", "/files/", toForm("a.md", "A.", wrong)), 400);
		expectDetail(await send("POST", "/files/", { json: { text: "A." } }), 415);
		expectDetail(
			await send("POST", "/files/", toForm("a.md", "A.", { ...metadata, knowledge_id: "no" })),
			404,
		);
		expect((await send("POST", "/files", toForm("a.md", "A.", metadata))).status).toBe(200);
	});

	it("with more files than one comparison takes", async () => {
		const file = { path: "", filename: "a.md", checksum: "1", size: 1 };
		const manifest = Array.from({ length: 19_001 }, () => file);
		expectDetail(await send("POST", `/knowledge/${base.id}/sync/diff`, { json: { manifest } }), 400);
		const { status } = await send("POST", `/knowledge/${base.id}/sync/diff`, {
			json: { manifest: manifest.slice(1) },
		});
		expect(status).toBe(200);
	});
});
