import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
	DocumentUpload,
	KnowledgeBase,
	KnowledgeDocument,
	Page,
	Source,
	SourceSettings,
	SourceSync,
} from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMail } from "../../knowledge/test-support/create-mail";
import { startDocumentServer } from "../../sources/test-support/document-server";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

let root: string;
let folder: string;
let deployment: TestDeployment;
let workspace: TestWorkspace;
let base: string;

beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "stemma-sources-"));
	deployment = await openTestDeployment(built, {
		sources: { folders: [root] },
		limits: { upload_bytes: 100_000 },
	});
	workspace = await deployment.addWorkspace("tests");
});
afterAll(async () => {
	await deployment?.close();
	await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
	folder = await mkdtemp(join(root, "docs-"));
	const created = await post<KnowledgeBase>("/v1/knowledge-bases", { name: "Handbook" });
	base = `/v1/knowledge-bases/${created.id}`;
});
afterEach(() => workspace.send("DELETE", base));

const post = <Body>(path: string, json: object = {}): Promise<Body> =>
	getBody<Body>(workspace.send("POST", path, { json }));
const get = <Body>(path: string): Promise<Body> => getBody<Body>(workspace.send("GET", path));

async function write(path: string, text: string): Promise<void> {
	await mkdir(dirname(join(folder, path)), { recursive: true });
	await writeFile(join(folder, path), text);
}

const addSource = (settings: SourceSettings, more: object = {}): Promise<Source> =>
	post<Source>(`${base}/sources`, { settings, ...more });
const addFolder = (more: object = {}): Promise<Source> =>
	addSource({ kind: "folder", path: folder, ...more });

/** Waits until no sync of a source is queued or running, and none is due; returns the last. */
async function waitForSync({ id }: Source): Promise<SourceSync> {
	let last: SourceSync | null = null;
	await expect
		.poll(
			async () => {
				last = (await get<Source>(`${base}/sources/${id}`)).last_sync;
				return last?.status ?? "queued";
			},
			{ timeout: 60_000 },
		)
		.toMatch(/succeeded|failed|cancelled/);
	return last ?? expect.unreachable();
}

/** Starts a sync once the one before has ended, and waits for its end. */
async function sync(source: Source, options: object = {}): Promise<SourceSync> {
	await waitForSync(source);
	const { id } = await post<SourceSync>(`${base}/sources/${source.id}/sync`, options);
	const ended = await waitForSync(source);
	expect(ended.id).toBe(id);
	return ended;
}

/** Waits until as many documents of a source were read: a sync ends when they are queued. */
const waitUntilRead = ({ id }: Source, count: number): Promise<void> =>
	expect
		.poll(async () => (await get<Source>(`${base}/sources/${id}`)).documents.ready, { timeout: 60_000 })
		.toBe(count);

const listDocuments = async (): Promise<readonly KnowledgeDocument[]> =>
	(await get<Page<KnowledgeDocument>>(`${base}/documents?limit=100`)).data;
const listLabels = async (): Promise<readonly (string | null)[]> =>
	(await listDocuments()).map(({ source }) => source).sort();

const NO_COUNTS = { added: 0, changed: 0, unchanged: 0, moved: 0, removed: 0, skipped: 0, failed: 0 };

describe("a folder", () => {
	it("is read at once, and shows where its documents are from", async () => {
		await write("a.md", "# Harbour\n\nIt opens at nine.");
		await write("sub/b.txt", "Ferries leave at ten.");
		await write(".hidden/c.md", "Hidden.");
		await write("picture.bin", "?");
		const source = await addFolder();
		expect(source).toMatchObject({ name: folder, last_sync: null, every_minutes: null });
		const ended = await waitForSync(source);
		expect(ended).toMatchObject({
			status: "succeeded",
			error: null,
			counts: { ...NO_COUNTS, added: 2, skipped: 1 },
			issues: [{ key: "picture.bin", outcome: "skipped", code: "unsupported_format" }],
		});
		const found = await listDocuments();
		expect(found.map(({ source_id, source_key }) => [source_id, source_key])).toEqual([
			[source.id, "a.md"],
			[source.id, "sub/b.txt"],
		]);
		await waitUntilRead(source, 2);
	});

	it("that has not changed is no work", async () => {
		await write("a.md", "One.");
		await write("b.md", "Two.");
		const source = await addFolder();
		const first = await waitForSync(source);
		expect(first.counts).toEqual({ ...NO_COUNTS, added: 2 });
		await waitUntilRead(source, 2);
		const before = await listDocuments();
		const again = await sync(source);
		expect([again.counts, again.bytes]).toEqual([{ ...NO_COUNTS, unchanged: 2 }, 0]);
		// Another time, the same content: read from the disk, and not by the readers.
		await utimes(join(folder, "a.md"), 1, 1);
		const touched = await sync(source);
		expect([touched.counts, touched.bytes]).toEqual([{ ...NO_COUNTS, unchanged: 2 }, 4]);
		expect((await listDocuments()).map(({ updated_at }) => updated_at)).toEqual(
			before.map(({ updated_at }) => updated_at),
		);
	});

	it("has mails with their attachments, which are no items of it", async () => {
		await write(
			"mail.eml",
			createMail("Fees", "See below.", [{ name: "fees.md", content: "A parcel costs 4 €." }]),
		);
		const source = await addFolder();
		expect((await waitForSync(source)).counts).toEqual({ ...NO_COUNTS, added: 1 });
		await expect
			.poll(async () => (await listDocuments()).map(({ status }) => status))
			.toEqual(["ready", "ready"]);
		const [mail, child] = await listDocuments();
		expect(child).toMatchObject({ title: "fees.md (attached to: Fees)", parent_id: mail?.id });
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, unchanged: 1 });
		expect((await get<Source>(`${base}/sources/${source.id}`)).documents.total).toBe(1);
		await write("other.md", "Other.");
		await rm(join(folder, "mail.eml"));
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, added: 1, removed: 1 });
		expect(await listLabels()).toEqual(["other.md"]);
	});

	it("gives what is new, changed, gone and moved, and leaves uploads alone", async () => {
		await write("changed.md", "Old.");
		await write("gone.md", "Gone.");
		await write("moved.md", "Moved text.");
		await write("same.md", "Same.");
		const uploaded = await post<DocumentUpload>(`${base}/documents`, { text: "By hand.", source: "gone.md" });
		await post(`${base}/documents`, { text: "Same." });
		const source = await addFolder();
		await waitForSync(source);
		const before = await listDocuments();
		expect(before).toHaveLength(6);
		await write("changed.md", "New and longer.");
		await write("new.md", "New.");
		await rm(join(folder, "gone.md"));
		await mkdir(join(folder, "deep"));
		await rename(join(folder, "moved.md"), join(folder, "deep/renamed.md"));
		const { counts } = await sync(source);
		expect(counts).toEqual({ ...NO_COUNTS, added: 1, changed: 1, unchanged: 1, moved: 1, removed: 1 });
		expect(await listLabels()).toEqual([
			...["changed.md", "deep/renamed.md", "gone.md", "new.md"],
			...[null, "same.md"],
		]);
		const idOf = (documents: readonly KnowledgeDocument[], key: string) =>
			documents.find(({ source_key }) => source_key === key)?.id;
		const after = await listDocuments();
		expect(idOf(after, "deep/renamed.md")).toBe(idOf(before, "moved.md"));
		expect(idOf(after, "changed.md")).toBe(idOf(before, "changed.md"));
		expect(after.find(({ source: label }) => label === "gone.md")?.id).toBe(uploaded.data[0]?.id);
	});

	it("with the same content twice has one document, which stays while one of them does", async () => {
		await write("a.md", "Twice.");
		await write("b.md", "Twice.");
		const source = await addFolder();
		const { counts, issues } = await waitForSync(source);
		expect([counts, issues]).toMatchObject([
			{ ...NO_COUNTS, added: 1, skipped: 1 },
			[{ key: "b.md", code: "duplicate_content" }],
		]);
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, unchanged: 2 });
		await write("a.md", "Once.");
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, changed: 1, unchanged: 1 });
		expect(await listLabels()).toEqual(["a.md", "b.md"]);
		await rm(join(folder, "b.md"));
		await sync(source);
		expect(await listLabels()).toEqual(["a.md"]);
	});

	it("that is empty all of a sudden keeps its documents, unless it is forced", async () => {
		await write("a.md", "One.");
		await write("b.md", "Two.");
		const source = await addFolder();
		await waitForSync(source);
		for (const name of ["a.md", "b.md"]) await rm(join(folder, name));
		expect(await sync(source)).toMatchObject({ status: "failed", error: { code: "source_empty" } });
		expect(await listDocuments()).toHaveLength(2);
		expect(await sync(source, { force: true })).toMatchObject({
			status: "succeeded",
			counts: { ...NO_COUNTS, removed: 2 },
		});
		expect(await listDocuments()).toEqual([]);
	});

	it("gives a document again that was deleted by hand", async () => {
		await write("a.md", "One.");
		const source = await addFolder();
		await waitForSync(source);
		const [document] = await listDocuments();
		await workspace.send("DELETE", `${base}/documents/${document?.id}`);
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, added: 1 });
	});

	it("is read by its patterns, without links that leave it and files that are too large", async () => {
		const outside = await mkdtemp(join(tmpdir(), "stemma-outside-"));
		await writeFile(join(outside, "secret.md"), "Secret.");
		await symlink(join(outside, "secret.md"), join(folder, "link.md"));
		await symlink(outside, join(folder, "linked"));
		await write("docs/a.md", "One.");
		await write("docs/draft.md", "Draft.");
		await write("docs/large.txt", "x".repeat(100_001));
		await write("b.md", "Two.");
		const source = await addFolder({ include: ["docs"], exclude: ["draft*"] });
		const { counts, issues } = await waitForSync(source);
		expect(counts).toEqual({ ...NO_COUNTS, added: 1, skipped: 1 });
		expect(issues).toMatchObject([{ key: "docs/large.txt", code: "too_large" }]);
		const all = await addFolder({ exclude: ["large.txt"] });
		expect((await waitForSync(all)).counts).toEqual({ ...NO_COUNTS, added: 3 });
		await rm(outside, { recursive: true });
	});

	it("that the operator has not opened is refused, and so is a link to one, and the data folder", async () => {
		const link = join(folder, "link");
		await symlink(tmpdir(), link);
		for (const path of [tmpdir(), `${root}-else`, join(root, ".."), link, deployment.folder])
			expectApiError(
				await workspace.send("POST", `${base}/sources`, { json: { settings: { kind: "folder", path } } }),
				422,
				"folder_not_allowed",
			);
		const path = join(root, "none");
		expectApiError(
			await workspace.send("POST", `${base}/sources`, { json: { settings: { kind: "folder", path } } }),
			422,
			"folder_not_found",
		);
	});
});

describe("an address", () => {
	it("is fetched again only where it has changed, and its document goes with it", async () => {
		const server = await startDocumentServer("# Handbook\n\nIt opens at nine.");
		const source = await addSource({ kind: "url", url: server.url });
		expect((await waitForSync(source)).counts).toEqual({ ...NO_COUNTS, added: 1 });
		expect(await listDocuments()).toMatchObject([{ source: server.url, source_key: server.url }]);
		const unchanged = await sync(source);
		expect([unchanged.counts, unchanged.bytes]).toEqual([{ ...NO_COUNTS, unchanged: 1 }, 0]);
		expect(server.answered).toEqual([200, 304]);
		server.page = "# Handbook\n\nIt opens at ten.";
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, changed: 1 });
		server.statuses.push(
			{ status: 429, headers: { "retry-after": "0" } },
			{ status: 503, headers: { "retry-after": "1" } },
		);
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, unchanged: 1 });
		server.statuses.push({ status: 500 });
		expect(await sync(source)).toMatchObject({ status: "failed", error: { code: "bad_status" } });
		server.statuses.push({ status: 429, headers: { "retry-after": "3600" } });
		expect(await sync(source)).toMatchObject({ status: "failed", error: { code: "source_busy" } });
		expect(await listDocuments()).toHaveLength(1);
		server.page = null;
		expect((await sync(source)).counts).toEqual({ ...NO_COUNTS, removed: 1 });
		expect(await listDocuments()).toEqual([]);
		await server.close();
	});

	it("that leads in circles, or to a private one, is refused", async () => {
		const server = await startDocumentServer(null);
		const source = await addSource({ kind: "url", url: server.url });
		await waitForSync(source);
		for (let hop = 0; hop < 20; hop += 1)
			server.statuses.push({ status: 302, headers: { location: server.url } });
		expect(await sync(source)).toMatchObject({ status: "failed", error: { code: "too_many_redirects" } });
		server.statuses.splice(0);
		server.statuses.push({ status: 302, headers: { location: "http://10.0.0.1/" } });
		expect(await sync(source)).toMatchObject({ status: "failed", error: { code: "blocked_address" } });
		const json = { settings: { kind: "url", url: "http://192.168.1.1/" } };
		expectApiError(await workspace.send("POST", `${base}/sources`, { json }), 422, "blocked_address");
		await server.close();
	});
});

describe("sources", () => {
	it("are listed, changed and deleted, with their documents or without", async () => {
		await write("a.md", "One.");
		const kept = await addFolder();
		const deleted = await addFolder({ exclude: ["none"] });
		await Promise.all([waitForSync(kept), waitForSync(deleted)]);
		const changed = await getBody<Source>(
			workspace.send("PATCH", `${base}/sources/${kept.id}`, { json: { name: "Docs", every_minutes: 5 } }),
		);
		expect(changed).toMatchObject({ name: "Docs", every_minutes: 5, next_sync_at: expect.any(String) });
		expect((await get<Page<Source>>(`${base}/sources`)).data.map(({ id }) => id)).toEqual([
			kept.id,
			deleted.id,
		]);
		expect(await listDocuments()).toHaveLength(2);
		await getBody(workspace.send("DELETE", `${base}/sources/${deleted.id}`));
		await expect.poll(listDocuments).toMatchObject([{ source_id: kept.id }]);
		await getBody(workspace.send("DELETE", `${base}/sources/${kept.id}?keep_documents=true`));
		await expect.poll(async () => (await listDocuments())[0]?.source_id).toBeUndefined();
		expect(await listLabels()).toEqual(["a.md"]);
		expectApiError(await workspace.send("GET", `${base}/sources/${kept.id}`), 404, "source_not_found");
	});

	it("are not seen by another workspace", async () => {
		const source = await addFolder();
		const other = await deployment.addWorkspace("other");
		for (const [method, path] of [
			["GET", ""],
			["GET", "/syncs"],
			["POST", "/sync"],
			["DELETE", ""],
		] as const)
			expectApiError(
				await other.send(
					method,
					`${base}/sources/${source.id}${path}`,
					method === "POST" ? { json: {} } : {},
				),
				404,
				"knowledge_base_not_found",
			);
	});

	it.each([
		[{}, "settings"],
		[{ settings: { kind: "ftp", url: "ftp://example.com" } }, "settings.kind"],
		[{ settings: { kind: "url" } }, "settings.url"],
		[{ settings: { kind: "url", url: "https://user:word@example.com/" } }, "settings.url"],
		[{ settings: { kind: "folder" } }, "settings.path"],
		[{ settings: { kind: "s3", bucket: "" } }, "settings.bucket"],
		[{ settings: { kind: "url", url: "https://example.com/" }, every_minutes: 4 }, "every_minutes"],
		[{ settings: { kind: "url", url: "https://example.com/" }, credential: "A Secret" }, "credential"],
	])("are refused with what is wrong: %j", async (json, param) => {
		const response = await workspace.send("POST", `${base}/sources`, { json });
		expect(response).toMatchObject({ status: 400, body: { error: { param } } });
	});

	it("have one sync at a time, which can be cancelled, and of which 20 are kept", async () => {
		await write("a.md", "One.");
		const source = await addFolder();
		await waitForSync(source);
		const path = `${base}/sources/${source.id}`;
		// A sync may end before the second request comes in, on a machine that is busy.
		await expect
			.poll(async () => {
				const starts = [post<SourceSync>(`${path}/sync`), post<SourceSync>(`${path}/sync`)];
				return new Set((await Promise.all(starts)).map(({ id }) => id)).size;
			})
			.toBe(1);
		await waitForSync(source);
		expectApiError(await workspace.send("POST", `${path}/sync/cancel`), 409, "sync_not_running");
		for (let count = 0; count < 21; count += 1) await sync(source);
		const { data } = await get<Page<SourceSync>>(`${path}/syncs?limit=100`);
		expect(data).toHaveLength(20);
		expect(data[0]?.created_at && data[19] && data[0].created_at >= data[19].created_at).toBe(true);
	});

	it("of a quota that is full end with its code, and bring in what fits", async () => {
		const limited = await openTestDeployment(built, {
			sources: { folders: [root] },
			limits: { documents: 2 },
		});
		const tenant = await limited.addWorkspace("small");
		const send = async <Body>(method: string, path: string, json?: object) =>
			getBody<Body>(tenant.send(method, path, json === undefined ? {} : { json }));
		const { id } = await send<KnowledgeBase>("POST", "/v1/knowledge-bases", { name: "Small" });
		const own = `/v1/knowledge-bases/${id}`;
		await send("POST", `${own}/documents`, { text: "By hand." });
		for (const name of ["a", "b"]) await write(`${name}.md`, name);
		const settings = { kind: "folder", path: folder };
		const source = await send<Source>("POST", `${own}/sources`, { settings });
		await expect
			.poll(async () => (await send<Source>("GET", `${own}/sources/${source.id}`)).last_sync?.error?.code)
			.toBe("too_many_documents");
		const { data } = await send<Page<KnowledgeDocument>>("GET", `${own}/documents`);
		expect(data.map(({ source_key }) => source_key)).toEqual([undefined, "a.md"]);
		await limited.close();
	});
});

it("a secret that is not stored fails the sync", async () => {
	const source = await addSource({ kind: "url", url: "http://127.0.0.1:9/" }, { credential: "docs-token" });
	expect(await waitForSync(source)).toMatchObject({ status: "failed", error: { code: "secret_missing" } });
});
