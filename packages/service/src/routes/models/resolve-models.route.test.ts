import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError, readApiError } from "../../test-support/expect-error";
import { type SendRequest, sendTo } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import { startTestGateway, type TestGateway } from "../../test-support/test-gateway";

const PATH = "/v1/models/resolve";

let gateway: TestGateway;
let calls: number;
const countCalls = (): number =>
	gateway.deploymentVendor.requests.length + gateway.workspaceVendor.requests.length;
beforeAll(async () => {
	gateway = await startTestGateway(built);
	calls = countCalls();
});
afterAll(async () => {
	expect(countCalls()).toBe(calls);
	await gateway?.close();
});

const resolve = (nodes: readonly object[], more: object = {}, send: SendRequest = gateway.send) =>
	send("POST", PATH, { json: { nodes, ...more } });

const desk = { node: "desk" };

describe("for a server", () => {
	it("resolves every graph that can be stored, and every name of a model that settings take", async () => {
		await gateway.setPayer("workspace");
		const nodes = Array.from({ length: 40_000 }, (_, index) => ({ node: `n${index}` }));
		expect((await resolve(nodes)).status).toBe(200);
		const model = "m".repeat(256);
		expect((await resolve([{ node: "desk", model }])).body).toMatchObject({ data: [{ model }] });
		await gateway.setPayer("deployment");
	});

	it("says for each node who answers and who pays", async () => {
		await gateway.setPayer("workspace");
		const nodes = [
			desk,
			{ node: "tail", provider: "openai-compatible", model: "any" },
			{ node: "quotes", provider: "extractive" },
		];
		const { status, body } = await resolve(nodes);
		const own = {
			provider: "openai-compatible",
			vendor_host: new URL(gateway.workspaceVendor.baseUrl).host,
			payer: "workspace",
		};
		expect([status, body]).toEqual([
			200,
			{
				data: [
					{ node: "desk", ...own, model: "own-model", reason: expect.any(String) },
					{ node: "tail", ...own, model: "any", reason: expect.any(String) },
					{
						node: "quotes",
						provider: "extractive",
						model: "extractive",
						vendor_host: "",
						payer: "none",
						reason: expect.any(String),
					},
				],
			},
		]);
		await gateway.setPayer("deployment");
	});

	it("heeds the one knowledge base of the run, and none of several", async () => {
		const create = (json: object) =>
			getBody<{ id: string }>(gateway.send("POST", "/v1/knowledge-bases", { json }));
		const base = await create({ name: "library", llm_model: "host-second" });
		const other = await create({ name: "harbour" });
		const find = async (...bases: readonly { id: string }[]) => {
			const { body } = await resolve([desk], { knowledge_base_ids: bases.map(({ id }) => id) });
			return (body as { data: readonly { model: string }[] }).data[0]?.model;
		};
		expect([await find(base), await find(base, other), await find(other)]).toEqual([
			"host-second",
			"host-model",
			"host-model",
		]);
	});

	it("says who makes the queries of a search, in the order of the request", async () => {
		await gateway.setPayer("workspace");
		const rewrite = { node: "handbook", stage: "rewrite" };
		const { body } = await resolve([rewrite, desk]);
		const own = { model: "own-model", payer: "workspace" };
		expect(body).toMatchObject({
			data: [
				{ ...rewrite, ...own, reason: expect.stringContaining("writes the search queries") },
				{ node: "desk", ...own },
			],
		});
		expect((body as { data: object[] }).data[1]).not.toHaveProperty("stage");
		await gateway.setPayer("deployment");
	});

	it("says that nobody pays where no model makes queries, and refuses nothing for that", async () => {
		const rewrite = { node: "handbook", stage: "rewrite" };
		const none = { ...rewrite, provider: "", model: "", vendor_host: "", payer: "none" };
		const { status, body } = await resolve([
			{ ...rewrite, provider: "extractive" },
			{ ...rewrite, model: "gpt-x" },
		]);
		expect([status, body]).toEqual([
			200,
			{
				data: [
					{ ...none, reason: expect.stringContaining("The built-in model rewrites nothing") },
					{ ...none, reason: expect.stringContaining("does not allow the model") },
				],
			},
		]);
	});

	it("refuses with one error that lists every node, and the code that comes first", async () => {
		const nodes = [
			{ node: "a", model: "gpt-x" },
			desk,
			{ node: "b", provider: "bedrock" },
			{ node: "c", provider: "anthropic" },
		];
		const answer = await resolve(nodes);
		expectApiError(answer, 422, "provider_not_configured");
		const { message, details } = readApiError(answer);
		expect(message).toContain('No model for "a": ');
		expect(details).toMatchObject({
			refusals: [
				{ node: "a", code: "model_not_allowed", hint: expect.stringContaining("host-second") },
				{ node: "b", code: "credential_required" },
				{ node: "c", code: "provider_not_configured" },
			],
		});
	});

	it("is refused as a run of the same graph is", async () => {
		const graph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "tail", kind: "agent", model: { model: "gpt-x" } },
			],
			edges: [{ from: "desk", to: "tail", mode: "then" }],
		};
		const { id } = await getBody<{ id: string }>(gateway.send("POST", "/v1/agents", { json: { graph } }));
		const run = await gateway.send("POST", `/v1/agents/${id}/run`, { json: { input: "?" } });
		const {
			request_id: _,
			type: __,
			...error
		} = readApiError(await resolve([desk, { node: "tail", model: "gpt-x" }]));
		expect(run.body).toMatchObject({ status: "failed", receipt: [] });
		expect((run.body as { error: object }).error).toEqual(error);
	});

	it.each([
		{},
		{ nodes: [] },
		{ nodes: [{}] },
		{ nodes: [{ node: "" }] },
		{ nodes: [{ node: "desk", model: 7 }] },
		{ nodes: [{ node: "desk", model: "m".repeat(257) }] },
		{ nodes: [{ node: "desk", stage: "answer" }] },
		{ nodes: [desk], knowledge_base_ids: [7] },
	])("refuses what is no such request: %j", async (json) => {
		expectApiError(await gateway.send("POST", PATH, { json }), 400, "invalid_request");
	});
});

describe("for a client key", () => {
	const makeKey = async (options: object): Promise<SendRequest> => {
		const json = { name: "phone", native: true, ...options };
		const { client_key } = await getBody<{ client_key: string }>(
			gateway.send("POST", "/v1/client-keys", { json }),
		);
		return sendTo(fetch, client_key, new URL(gateway.baseURL).origin);
	};

	it("needs models: true", async () => {
		expectApiError(await resolve([desk], {}, await makeKey({})), 403, "not_allowed_for_client_key");
	});

	it("gives the default model, and no other", async () => {
		const send = await makeKey({ models: true, expose: "trace" });
		const { body } = await resolve([desk, { node: "tail", model: "default" }], {}, send);
		expect(body).toMatchObject({ data: [{ model: "host-model" }, { model: "host-model" }] });
		const refused = await resolve([desk, { node: "tail", model: "host-second" }], {}, send);
		expectApiError(refused, 403, "model_choice_not_allowed");
		expect(readApiError(refused).details).toMatchObject({ refusals: [{ node: "tail" }] });
	});

	it("names neither model nor host where the key sees answers alone", async () => {
		const send = await makeKey({ models: true, expose: "answer" });
		const answer = await resolve([desk], {}, send);
		expect(answer.body).toMatchObject({
			data: [{ node: "desk", model: "default", vendor_host: "", payer: "deployment" }],
		});
		const rewrite = await resolve([{ ...desk, stage: "rewrite" }], {}, send);
		expect(rewrite.body).toMatchObject({
			data: [{ model: "default", vendor_host: "", payer: "deployment" }],
		});
		expect(rewrite.text).not.toContain("host-model");
		expect(answer.text).not.toContain("host-model");
	});

	it("knows no knowledge base that is not the key's", async () => {
		const { id } = await getBody<{ id: string }>(
			gateway.send("POST", "/v1/knowledge-bases", { json: { name: "closed" } }),
		);
		const send = await makeKey({ models: true, knowledge_base_ids: [] });
		const answer = await resolve([desk], { knowledge_base_ids: [id] }, send);
		expectApiError(answer, 404, "knowledge_base_not_found");
	});
});
