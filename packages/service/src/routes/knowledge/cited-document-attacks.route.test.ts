import type { CreatedClientKey, KnowledgeBase, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectApiError } from "../../test-support/expect-error";
import type { TestResponse } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

const TEXT = "The ferry to the harbour leaves at nine.";
const QUERY = "When does the ferry leave?";

/** Knowledge base with a document, and a client key that finds it. */
interface Shelf {
	readonly workspace: TestWorkspace;
	readonly base: string;
	readonly key: string;
}

let deployment: TestDeployment;
let mine: Shelf;
let theirs: Shelf;

beforeAll(async () => {
	deployment = await openTestDeployment(built);
	mine = await createShelf("mine");
	theirs = await createShelf("theirs");
});
afterAll(() => deployment?.close());

async function createShelf(name: string): Promise<Shelf> {
	const workspace = await deployment.addWorkspace(name);
	const created = workspace.send("POST", "/v1/knowledge-bases", { json: { name: "Handbook" } });
	const { id: base } = await getBody<KnowledgeBase>(created);
	const json = { name: "app", native: true };
	const { client_key: key } = await getBody<CreatedClientKey>(
		workspace.send("POST", "/v1/client-keys", { json }),
	);
	const shelf = { workspace, base, key };
	await upload(shelf, TEXT, "ferry.md");
	return shelf;
}

async function upload({ workspace, base }: Shelf, text: string, source: string): Promise<void> {
	await getBody(workspace.send("POST", `/v1/knowledge-bases/${base}/documents`, { json: { text, source } }));
	await waitUntilIndexed(workspace.send, base);
}

async function findUrl({ workspace, key }: Shelf, query = QUERY): Promise<URL> {
	const found = workspace.send("POST", "/v1/search", { json: { query }, token: key });
	const { passages } = await getBody<SearchResult>(found);
	return new URL(passages[0]?.document_url ?? expect.unreachable());
}

interface OpenOptions {
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly token?: string | null;
}

const open = (
	url: string | URL,
	{ method = "GET", headers = {}, token = null }: OpenOptions = {},
): Promise<TestResponse> => {
	const { pathname, search } = new URL(url, "http://service.test");
	return mine.workspace.send(method, pathname + search, { headers, token });
};

const toText = (url: URL): string => url.href.replace("/file?", "/text?");

it("opens nothing of another workspace", async () => {
	const [own, other] = [await findUrl(mine), await findUrl(theirs)];
	expect(own.pathname).not.toBe(other.pathname);
	for (const [path, token] of [
		[own.pathname, other.search],
		[other.pathname, own.search],
	]) {
		expectApiError(await open(`${path}${token}`), 403, "document_not_allowed");
		expectApiError(await open(`${path?.replace(/file$/, "text")}${token}`), 403, "document_not_allowed");
	}
});

it("refuses each part of a token that was changed, and parts of two tokens", async () => {
	const [own, other] = [await findUrl(mine), await findUrl(theirs)];
	const [document = "", key = "", expires = "", ...rest] = readParts(own);
	const signature = rest.join("_");
	const [otherDocument = "", otherKey = "", otherExpires = "", ...otherRest] = readParts(other);
	const later = (Number.parseInt(expires, 36) + 86_400).toString(36);
	const lastOf = signature.at(-1) === "A" ? "B" : "A";
	for (const parts of [
		[otherDocument, key, expires, signature],
		[document, otherKey, expires, signature],
		[document, key, later, signature],
		[document, key, expires, otherRest.join("_")],
		[document, key, `0${expires}`, signature],
		[document, key, expires.toUpperCase(), `${signature.slice(0, -1)}${lastOf}`],
		[document, key, expires, `${signature}=`],
		[document, key, expires, ""],
		[document, key, otherExpires, signature.slice(1)],
	]) {
		const token = `dt_${parts.join("_")}`;
		for (const kind of ["file", "text"]) {
			const response = await open(`${own.pathname.replace(/file$/, kind)}?token=${token}`);
			expectApiError(response, 401, "invalid_credentials");
		}
	}
});

const readParts = (url: URL): string[] =>
	(url.searchParams.get("token") ?? "").replace(/^dt_/, "").split("_");

it("takes a token in the address of its document alone", async () => {
	const url = await findUrl(mine);
	const token = url.searchParams.get("token") ?? "";
	expectApiError(await open(url.pathname, { token }), 401, "missing_credentials");
	expectApiError(await open(`${url.pathname}?token=`), 401, "invalid_credentials");
	expectApiError(await open(`${url.pathname}?token=x&token=${token}`), 401, "invalid_credentials");
	for (const path of [
		url.pathname.replace("/v1/documents", `/v1/knowledge-bases/${mine.base}/documents`),
		`/v1/knowledge-bases/${mine.base}/documents`,
		"/v1/search",
	])
		expect((await open(`${path}?token=${token}`)).status, path).toBeGreaterThan(400);
	for (const method of ["POST", "PUT", "DELETE", "PATCH"])
		expect((await open(url, { method })).status, method).toBeGreaterThan(400);
	expect((await open(url)).status).toBe(200);
});

it("asks HEAD for the same token, and sends no body", async () => {
	const url = await findUrl(mine);
	for (const address of [url.href, toText(url)]) {
		const head = await open(address, { method: "HEAD" });
		expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", `${TEXT.length}`]);
		expect((await open(address.replace(/.{4}$/, "AAAA"), { method: "HEAD" })).status).toBe(401);
		expect((await open(address.replace(/\?.*/, ""), { method: "HEAD" })).status).toBe(401);
	}
});

it("gives ranges within the document, and never bytes of another", async () => {
	const url = await findUrl(mine);
	for (const [range, status, text] of [
		["bytes=-5", 206, "nine."],
		["bytes=0-0", 206, "T"],
		["bytes=35-9999999999999999999", 206, "nine."],
		["bytes=-9999999999999999999", 206, TEXT],
		["bytes=0-2,5-6", 200, TEXT],
		["bytes=5-2", 200, TEXT],
		["bytes=-", 200, TEXT],
		["pages=1-2", 200, TEXT],
	] as const) {
		const part = await open(url, { headers: { range } });
		expect([range, part.status, part.text]).toEqual([range, status, text]);
	}
	const behind = await open(url, { headers: { range: `bytes=${TEXT.length}-` } });
	expectApiError(behind, 416, "range_not_satisfiable");
	expect(behind.headers.get("content-range")).toBe(`bytes */${TEXT.length}`);
	const forged = await open(url.href.replace(/.{4}$/, "AAAA"), { headers: { range: "bytes=0-0" } });
	expectApiError(forged, 401, "invalid_credentials");
});

it("gives the text that replaced the one that was cited, and nothing once the knowledge base is gone", async () => {
	const shelf = await createShelf("replaced");
	const url = await findUrl(shelf);
	const etag = (await open(url)).headers.get("etag") ?? "";
	await upload(shelf, "The ferry leaves at ten.", "ferry.md");
	const replaced = await open(url, { headers: { "if-none-match": etag } });
	expect([replaced.status, replaced.text]).toEqual([200, "The ferry leaves at ten."]);
	expect((await open(toText(url))).text).toBe("The ferry leaves at ten.");
	const stale = await open(url, { headers: { range: "bytes=0-2", "if-range": etag } });
	expect([stale.status, stale.text]).toEqual([200, "The ferry leaves at ten."]);
	await getBody(shelf.workspace.send("DELETE", `/v1/knowledge-bases/${shelf.base}`));
	for (const address of [url.href, toText(url)])
		expectApiError(await open(address), 404, "document_not_found");
});

it("gives client keys addresses of what they may search alone", async () => {
	const json = { name: "other" };
	const { id: other } = await getBody<KnowledgeBase>(
		mine.workspace.send("POST", "/v1/knowledge-bases", { json }),
	);
	const limited = await getBody<CreatedClientKey>(
		mine.workspace.send("POST", "/v1/client-keys", {
			json: { name: "limited", native: true, knowledge_base_ids: [other] },
		}),
	);
	const search = (body: object) =>
		mine.workspace.send("POST", "/v1/search", { json: { query: QUERY, ...body }, token: limited.client_key });
	expect((await search({})).text).not.toContain("dt_");
	const asked = await search({ knowledge_base_ids: [mine.base] });
	expect([asked.status >= 400, asked.text.includes("dt_")]).toEqual([true, false]);
	const path = (await findUrl(mine)).pathname;
	expectApiError(await open(path, { token: limited.client_key }), 401, "missing_credentials");
});
