import type { ResolvedModels, Usage } from "@stemma/client";
import type { ReceiptRow } from "@stemma/core";
import * as built from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getBody } from "../test-support/tenant";
import { openTestDeployment, type TestDeployment, type TestWorkspace } from "../test-support/test-deployment";

let vendor: OpenAiSimulator;
let deployment: TestDeployment;
let workspace: TestWorkspace;
beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	const provider = {
		...{ provider: "openai-compatible" as const, base_url: vendor.baseUrl },
		credential: { value: "sk" },
	};
	deployment = await openTestDeployment(built, {
		providers: { main: { ...provider, default_model: "priced", allowed_models: ["unpriced"] } },
		chat: "main",
		prices: { currency: "EUR", models: [{ model: "priced", input: "1", output: "2", call: "0.5" }] },
	});
	workspace = await deployment.addWorkspace("tests");
});
afterAll(async () => {
	await deployment?.close();
	await vendor?.close();
});

async function complete(model: string): Promise<ReceiptRow> {
	const json = { model, messages: [{ role: "user", content: "Hello." }] };
	const { stemma } = await getBody<{ stemma: { receipt: readonly ReceiptRow[] } }>(
		workspace.send("POST", "/v1/chat/completions", { json }),
	);
	return stemma.receipt[0] ?? expect.unreachable();
}

it("puts the cost onto the receipt of each call whose model has a price, and sums it", async () => {
	const priced = await complete("priced");
	const microUnits = priced.input_tokens + 2 * priced.output_tokens + 500_000;
	expect(microUnits).toBeGreaterThan(500_000);
	const amount = (Number(priced.cost?.amount) * 1e6).toFixed(0);
	expect([priced.cost?.currency, amount]).toEqual(["EUR", String(microUnits)]);
	expect(await complete("unpriced")).not.toHaveProperty("cost");
	const readCosts = async () =>
		(await getBody<Usage>(workspace.send("GET", "/v1/usage"))).data.map(({ model, costs }) => [model, costs]);
	await expect.poll(readCosts).toEqual([
		["priced", [{ ...priced.cost, calls: 1 }]],
		["unpriced", undefined],
	]);
});

it("tells prices before a run", async () => {
	const nodes = [{ node: "desk" }, { node: "other", model: "unpriced" }];
	const { data } = await getBody<ResolvedModels>(
		workspace.send("POST", "/v1/models/resolve", { json: { nodes } }),
	);
	expect(data.map(({ price }) => price)).toEqual([
		{ currency: "EUR", input: "1", output: "2", cached_input: "1", call: "0.5" },
		undefined,
	]);
});
