import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkModels } from "./check-models";
import { listModelEndpoints, type ModelEndpoint } from "./model-endpoints";

let vendor: Server;
let baseUrl: string;
const requests: { readonly path: string | undefined; readonly authorization: string | undefined }[] = [];
beforeAll(async () => {
	vendor = createServer(({ url, headers }, response) => {
		requests.push({ path: url, authorization: headers.authorization });
		const isOpen = headers.authorization === "Bearer sk-good";
		response.writeHead(isOpen ? 200 : 401, { "content-type": "application/json" });
		response.end(JSON.stringify(isOpen ? { data: [{ id: "small" }, { id: "large" }] } : { error: {} }));
	}).listen(0, "127.0.0.1");
	await once(vendor, "listening");
	baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
});
afterAll(() => void vendor.close());

const toEndpoint = (change: Partial<ModelEndpoint> = {}): ModelEndpoint => ({
	...{ stage: "answers", baseUrl, model: "small", listsModels: true, key: "sk-good" },
	...change,
});

async function check(change: Partial<ModelEndpoint>) {
	const [checked] = await checkModels([toEndpoint(change)]);
	return checked;
}

it("finds an endpoint that takes the key and has the model, and what time it is there", async () => {
	const checked = await check({});
	expect(checked?.check).toEqual({ name: "model", result: `answers: small at ${baseUrl}` });
	expect(Date.parse(checked?.date ?? "")).not.toBeNaN();
	expect(requests.at(-1)?.path).toBe("/v1/models");
});

it.each([
	["a wrong key", { key: "sk-bad" }, "error", "model_key_refused", /refuses the API key \(401\)/],
	["no key", { key: undefined }, "error", "model_key_refused", /wants an API key/],
	["an unknown model", { model: "huge" }, "warning", "model_not_listed", /no huge among the 2 models/],
	[
		"nobody there",
		{ baseUrl: "http://127.0.0.1:9/v1" },
		"error",
		"model_unreachable",
		/ECONNREFUSED|bad port/,
	],
])("says what is wrong: %s", async (_, change, severity, code, message) => {
	const checked = await check(change);
	expect(checked?.check.problem).toMatchObject({ severity, code, message: expect.stringMatching(message) });
	expect(JSON.stringify(checked)).not.toMatch(/sk-(?:good|bad)/);
});

it("sends no credential to an endpoint that has no list of models", async () => {
	const credential = { reveal: () => "sk-good" };
	const endpoints = listModelEndpoints({
		providers: {},
		rerank: { provider: "tei", baseUrl, credential, model: "rank" } as never,
	});
	expect(endpoints).toMatchObject([{ stage: "ranks", listsModels: false, key: undefined }]);
	const [checked] = await checkModels(endpoints);
	expect(checked?.check).not.toHaveProperty("problem");
	expect(requests.at(-1)).toEqual({ path: "/v1", authorization: undefined });
});
