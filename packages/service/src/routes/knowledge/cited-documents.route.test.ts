import type { Answer, CreatedClientKey, KnowledgeBase, SearchResult, WireRunEvent } from "@stemma/client";
import type { Citation, RunResult } from "@stemma/core";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError, readApiError } from "../../test-support/expect-error";
import type { TestRequest, TestResponse } from "../../test-support/send-request";
import { getBody, toKnowledgeGraph, waitUntilIndexed } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

const PAGE = "https://shop.example";
const TEXT = "# Ferry\n\nThe ferry to the harbour leaves at nine.";
const question = "When does the ferry leave?";

let deployment: TestDeployment;
let workspace: TestWorkspace;
let base: string;
let agent: string;
let key: CreatedClientKey;
let app: CreatedClientKey;

beforeAll(async () => {
	deployment = await openTestDeployment(built);
	workspace = await deployment.addWorkspace("tests");
	({ id: base } = await create<KnowledgeBase>("/v1/knowledge-bases", { json: { name: "Handbook" } }));
	await upload({ text: TEXT, source: "ferry.md" });
	await upload({ text: "The museum closes on Mondays.", source: "museum.md" });
	({ id: agent } = await create<{ id: string }>("/v1/agents", {
		json: { graph: toKnowledgeGraph("desk", base), slug: "desk" },
	}));
	key = await create("/v1/client-keys", { json: { name: "page", origins: [PAGE] } });
	app = await create("/v1/client-keys", { json: { name: "app", native: true } });
});
afterAll(() => deployment?.close());

const create = <Made>(path: string, request: TestRequest): Promise<Made> =>
	getBody<Made>(workspace.send("POST", path, request));

async function upload(json: object): Promise<string> {
	const { data } = await create<{ data: { id: string }[] }>(`/v1/knowledge-bases/${base}/documents`, {
		json,
	});
	await waitUntilIndexed(workspace.send, base);
	return data[0]?.id ?? "";
}

/** Request as a page sends it. */
const fromPage = (json: unknown, headers: Record<string, string> = {}): TestRequest => ({
	json,
	token: key.client_key,
	headers: { origin: PAGE, ...headers },
});

async function findUrl(query = question): Promise<string> {
	const { passages } = await create<SearchResult>("/v1/search", fromPage({ query }));
	return passages[0]?.document_url ?? expect.unreachable();
}

/** Opens an address as a link of a page does: without a credential. */
function open(url: string, headers: Record<string, string> = {}): Promise<TestResponse> {
	const { pathname, search } = new URL(url);
	return workspace.send("GET", pathname + search, { token: null, headers });
}

const urlsOf = (cited: { readonly citations: readonly Citation[] }) =>
	cited.citations.map(({ document_url }) => document_url ?? "");

describe("the address of a document", () => {
	it("opens its file and its text as a link, for nobody to store or pass on", async () => {
		const url = await findUrl();
		expect(url).toMatch(/^http:\/\/service\.test\/v1\/documents\/doc_[0-9a-z]+\/file\?token=dt_[\w-]+$/);
		const file = await open(url);
		expect([file.status, file.text]).toEqual([200, TEXT]);
		expect(Object.fromEntries(file.headers)).toMatchObject({
			"content-type": "text/plain",
			"content-disposition": expect.stringMatching(/^inline; /),
			"content-security-policy": "default-src 'none'; sandbox",
			"cache-control": "private, no-cache",
			"referrer-policy": "no-referrer",
			"x-content-type-options": "nosniff",
		});
		const text = await open(url.replace("/file?", "/text?"));
		expect([text.text, text.headers.get("referrer-policy")]).toEqual([TEXT, "no-referrer"]);
		expect((await open(`${url.replace("/file?", "/text?")}&start=2&end=7`)).text).toBe("Ferry");
	});

	it("gives parts, and nothing again that is there already", async () => {
		const url = await findUrl();
		const part = await open(url, { range: "bytes=2-6" });
		expect([part.status, part.text]).toEqual([206, "Ferry"]);
		const etag = part.headers.get("etag") ?? "";
		expect((await open(await findUrl(), { "if-none-match": etag })).status).toBe(304);
	});

	it("is read by the pages of its client key alone", async () => {
		const url = await findUrl();
		const own = await open(url, { origin: PAGE });
		expect([own.status, own.headers.get("access-control-allow-origin")]).toEqual([200, PAGE]);
		expectApiError(await open(url, { origin: "https://other.example" }), 403, "origin_not_allowed");
		const { passages } = await create<SearchResult>("/v1/search", {
			json: { query: question },
			token: app.client_key,
		});
		expectApiError(await open(passages[0]?.document_url ?? "", { origin: PAGE }), 403, "origin_not_allowed");
	});

	it("opens no other document, and nothing with another token", async () => {
		const [ferry, museum] = [await findUrl(), await findUrl("When does the museum close?")];
		const swapped = new URL(museum);
		swapped.search = new URL(ferry).search;
		expectApiError(await open(swapped.href), 403, "document_not_allowed");
		expectApiError(await open(ferry.replace(/\?.*/, "")), 401, "missing_credentials");
		const forged = await open(ferry.replace(/.{3}$/, "AAA"));
		expectApiError(forged, 401, "invalid_credentials");
		expect(readApiError(forged).hint).toContain("Ask again");
		const path = `/v1/knowledge-bases/${base}/documents`;
		const token = new URL(ferry).searchParams.get("token") ?? "";
		for (const request of [{ token }, { token: key.client_key }])
			expect((await workspace.send("GET", path, request)).status).toBeGreaterThan(400);
	});

	it("ends with its document, and with its client key", async () => {
		const id = await upload({ text: "The lighthouse blinks twice.", source: "lighthouse.md" });
		const url = await findUrl("How often does the lighthouse blink?");
		expect(url).toContain(id);
		await getBody(workspace.send("DELETE", `/v1/knowledge-bases/${base}/documents/${id}`));
		for (const kind of ["file", "text"])
			expectApiError(await open(url.replace("/file?", `/${kind}?`)), 404, "document_not_found");
		const short = await create<CreatedClientKey>("/v1/client-keys", { json: { name: "x", native: true } });
		const { passages } = await create<SearchResult>("/v1/search", {
			json: { query: question },
			token: short.client_key,
		});
		await getBody(workspace.send("DELETE", `/v1/client-keys/${short.id}`));
		expectApiError(await open(passages[0]?.document_url ?? ""), 401, "invalid_credentials");
	});
});

describe("citations", () => {
	it("have source, address and metadata of their document, in answers, runs and streams", async () => {
		const source = "https://docs.example/lamp";
		const metadata = { team: "lights" };
		await upload({ text: "The lamp burns at night.", source, metadata });
		const input = "When does the lamp burn?";
		const asked = await create<Answer>("/v1/ask", { json: { question: input } });
		const result = await create<RunResult>(`/v1/agents/${agent}/run`, { json: { input } });
		const streamed = await workspace.send("POST", `/v1/agents/${agent}/run`, {
			json: { input, stream: true },
		});
		for (const { citations } of [asked, result])
			expect(citations[0]).toMatchObject({ source, url: source, metadata, support: "quoted" });
		expect(streamed.text).toContain('"metadata":{"team":"lights"}');
		expect(asked.passages[0]).toMatchObject({ source, url: source, metadata });
	});

	it("show client keys nothing of the machine that a source is from", async () => {
		await upload({ text: "The buoy is green.", source: "/srv/private/buoy.md" });
		const buoy = "Is the buoy green?";
		const asked = await create<Answer>("/v1/ask", fromPage({ question: buoy }));
		expect(asked.citations[0]?.source).toBe("buoy.md");
		expect(JSON.stringify(asked)).not.toContain("/srv/private");
		const own = await create<Answer>("/v1/ask", { json: { question: buoy } });
		expect(own.citations[0]?.source).toBe("/srv/private/buoy.md");
	});

	it("have an address for client keys, and none for clients", async () => {
		const asked = await create<Answer>("/v1/ask", fromPage({ question }));
		for (const url of [...urlsOf(asked), ...asked.passages.map(({ document_url }) => document_url ?? "")])
			expect((await open(url)).status).toBe(200);
		expect(asked.citations.length).toBeGreaterThan(0);
		const own = await workspace.send("POST", "/v1/ask", { json: { question } });
		expect([own.status, own.text.includes("document_url")]).toEqual([200, false]);
	});

	it("of an answer that is streamed or sent again have one of that moment", async () => {
		const streamed = await workspace.send("POST", "/v1/ask", fromPage({ question, stream: true }));
		expect(streamed.text.match(/"document_url":"[^"]+token=dt_/g)?.length).toBeGreaterThan(1);
		const headers = { "idempotency-key": "once", "stemma-visitor": "0123456789abcdef0123" };
		const answers = [await create<Answer>("/v1/ask", fromPage({ question }, headers))];
		answers.push(await create<Answer>("/v1/ask", fromPage({ question }, headers)));
		for (const answer of answers)
			for (const url of urlsOf(answer)) expect((await open(url)).status).toBe(200);
	});

	it("of a run have one in its result, its stream and its events", async () => {
		const run = await create<RunResult & { run_token: string }>(
			`/v1/agents/${agent}/run`,
			fromPage({ input: question }),
		);
		const path = `/v1/runs/${run.run_id}`;
		const request = { token: key.client_key, headers: { origin: PAGE, "stemma-run-token": run.run_token } };
		const record = await getBody<{ result: RunResult }>(workspace.send("GET", path, request));
		const page = await getBody<{ data: WireRunEvent[] }>(workspace.send("GET", `${path}/events`, request));
		const end = page.data.at(-1);
		const replayed = end !== undefined && "result" in end ? end.result : expect.unreachable();
		for (const result of [run, record.result, replayed]) {
			expect(urlsOf(result).length).toBeGreaterThan(0);
			for (const url of urlsOf(result)) expect((await open(url)).text).toContain("nine");
		}
		const headers = { ...request.headers, accept: "text/event-stream" };
		const stream = await workspace.send("GET", `${path}/events`, { ...request, headers });
		expect(stream.text).toMatch(/"document_url":"[^"]+token=dt_/);
		// Clients that look at the run of the key are given nothing of the kind, and nothing of it is stored.
		for (const rest of ["", "/events"])
			expect((await workspace.send("GET", path + rest)).text).not.toContain("dt_");
	});

	it("of tasks and tools of other protocols have one, too", async () => {
		const send = (path: string, method: string, params: object) =>
			workspace.send("POST", path, {
				...fromPage({ jsonrpc: "2.0", id: 1, method, params }),
				headers: { origin: PAGE, "a2a-version": "1.0", accept: "application/json, text/event-stream" },
			});
		const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: question }] };
		const sent = await send(`/a2a/${agent}`, "SendMessage", { message });
		expect(sent.text).toMatch(/"document_url":"[^"]+token=dt_/);
		for (const [name, input] of [
			["ask", { question }],
			["search", { query: question }],
		] as const) {
			const called = await send("/mcp", "tools/call", { name, arguments: input });
			expect(called.text, called.text).toMatch(/document_url\\?":\\?"[^"]+token=dt_/);
		}
	});
});
