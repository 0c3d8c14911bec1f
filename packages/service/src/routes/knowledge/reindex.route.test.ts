import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditRecord, Page, Reindex, SearchResult, Usage } from "@stemma/client";
import * as built from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type SendRequest, sendTo } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import { fetchToken, toTestConfiguration } from "../../test-support/test-deployment";

const QUESTION = "When does the office open?";

let vendor: OpenAiSimulator;
let folder: string;
let close: () => Promise<unknown> = async () => undefined;
let sendPublic: SendRequest;
let send: SendRequest;
let base: string;

beforeEach(async () => {
	vendor = await startOpenAiSimulator();
	folder = await mkdtemp(join(tmpdir(), "stemma-reindex-"));
	await restart("model-one");
	base = (await getBody<{ id: string }>(send("POST", "/v1/knowledge-bases", { json: { name: "Office" } })))
		.id;
	await upload("The office opens at nine and closes at five.");
});
afterEach(async () => {
	await close();
	await vendor.close();
	await rm(folder, { recursive: true });
});

/** Starts the service with an embedding model, in place of the one before. */
async function restart(model: string): Promise<void> {
	await close();
	const embeddings = { base_url: vendor.baseUrl, model, credential: { value: "sk-of-the-host" } };
	const service = await built.createService(toTestConfiguration(built, folder, { embeddings }));
	close = () => service.close(0);
	const credentials = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	sendPublic = sendTo(service.fetch);
	send = sendTo(service.fetch, await fetchToken(sendPublic, credentials));
}

async function upload(text: string): Promise<void> {
	await getBody(send("POST", `/v1/knowledge-bases/${base}/documents`, { json: { text } }));
	await waitUntilIndexed(send, base);
}

const reindex = (method: string, json?: object) =>
	send(method, `/v1/knowledge-bases/${base}/reindex`, json === undefined ? {} : { json });
const getReindex = () => getBody<Reindex>(reindex("GET"));
const waitForStatus = (status: Reindex["status"]): Promise<Reindex> =>
	vi.waitFor(
		async () => {
			const found = await getReindex();
			expect(found.status).toBe(status);
			return found;
		},
		{ timeout: 30_000, interval: 20 },
	);
const search = () =>
	getBody<SearchResult>(
		send("POST", "/v1/search", { json: { query: QUESTION, knowledge_base_ids: [base] } }),
	);
const listModels = (): unknown[] => vendor.requests.map(({ body }) => body?.model);

it("moves a knowledge base to a vendor's new model and back, with a plan, receipts and audit", async () => {
	await restart("model-two");
	expect(await getReindex()).toMatchObject({ status: "idle", from: { model: "model-one" } });
	const requestCount = vendor.requests.length;
	const plan = await getBody<Reindex>(reindex("POST", { dry_run: true }));
	expect(plan).toMatchObject({
		status: "planned",
		from: { model: "model-one", vendor_host: new URL(vendor.baseUrl).host, dimensions: 256 },
		to: { model: "model-two" },
		payer: "deployment",
		plan: { passages: 1 },
	});
	expect(plan.plan?.estimated_tokens).toBeLessThan(plan.plan?.max_tokens ?? 0);
	expect(await reindex("POST", { payer: "workspace" })).toMatchObject({
		status: 409,
		body: { error: { code: "payer_changed" } },
	});
	expect(vendor.requests.length).toBe(requestCount);
	expect((await search()).receipt).toMatchObject([]);

	expect(await reindex("POST", { payer: "deployment" })).toMatchObject({ status: 202 });
	expect(await waitForStatus("completed")).toMatchObject({
		from: { model: "model-two" },
		to: { model: "model-one" },
	});
	const found = await search();
	expect(found.receipt).toMatchObject([{ stage: "embed", model: "model-two" }]);
	expect(found.passages).toHaveLength(1);
	const { data: rows } = await getBody<Usage>(send("GET", "/v1/usage"));
	expect(rows).toContainEqual(
		expect.objectContaining({ stage: "index", payer: "deployment", model: "model-two", calls: 1 }),
	);
	await upload("Parking is free.");

	await restart("model-one");
	expect(await reindex("POST", { undo: true })).toMatchObject({ status: 202 });
	await waitForStatus("completed");
	// The former vectors were kept: only the document that came after them costs something.
	expect(listModels().filter((model) => model === "model-one")).toHaveLength(2);
	expect((await search()).receipt).toMatchObject([{ stage: "embed", model: "model-one" }]);
	const { data: records } = await getBody<Page<AuditRecord>>(send("GET", "/v1/audit"));
	expect(
		records.filter(({ target }) => target === base).map(({ action, details }) => [action, details]),
	).toEqual([
		["knowledge_base.reindex_completed", {}],
		["knowledge_base.reindex_started", { from: "model-two", to: "model-one", payer: "deployment" }],
		["knowledge_base.reindex_completed", {}],
		["knowledge_base.reindex_started", { from: "model-one", to: "model-two", payer: "deployment" }],
	]);
	expect(await reindex("DELETE")).toMatchObject({ status: 200, body: { status: "dropping" } });
	await waitForStatus("idle");
	expect(await reindex("POST", { undo: true })).toMatchObject({
		status: 409,
		body: { error: { code: "nothing_to_undo" } },
	});
	expect(await reindex("DELETE")).toMatchObject({
		status: 404,
		body: { error: { code: "reindex_not_found" } },
	});
});

it("pauses with the vendor's refusal, is searched meanwhile, and is resumed by the same request", async () => {
	await restart("model-two");
	vendor.enqueue({ kind: "failure", status: 401 });
	await reindex("POST", {});
	expect(await waitForStatus("paused")).toMatchObject({
		error: { code: "invalid_credential" },
		passages: { total: 1, done: 0 },
	});
	await upload("Parking is free.");
	expect((await search()).passages.length).toBeGreaterThan(0);
	expect(await reindex("POST", { to: "none" })).toMatchObject({
		status: 409,
		body: { error: { code: "reindex_running" } },
	});
	await reindex("POST", {});
	expect(await waitForStatus("completed")).toMatchObject({ passages: { total: 2, done: 2 }, error: null });
});

it("refuses a model that makes no vectors here, and callers who may not choose models", async () => {
	expect(await reindex("POST", { to: "model-nine" })).toMatchObject({
		status: 422,
		body: { error: { code: "embeddings_not_configured", param: "to" } },
	});
	expect(await reindex("POST", { to: "none", undo: true })).toMatchObject({
		status: 400,
		body: { error: { param: "undo" } },
	});
	const json = { name: "writer", scopes: ["knowledge:read", "knowledge:write"] };
	const created = getBody<{ id: string; client_secret: string }>(send("POST", "/v1/clients", { json }));
	const { id: client_id, client_secret } = await created;
	const token = await fetchToken(sendPublic, { client_id, client_secret });
	const path = `/v1/knowledge-bases/${base}/reindex`;
	expect(await send("POST", path, { json: { dry_run: true }, token })).toMatchObject({ status: 403 });
	expect(await send("DELETE", path, { token })).toMatchObject({ status: 403 });
	expect(await send("GET", path, { token })).toMatchObject({ status: 200 });
});
