import type { ChatRequest } from "@stemma/core";
import { type BedrockSimulator, startBedrockSimulator } from "@stemma/simulators/bedrock";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createChatModel } from "../create-model";
import { createAmbientCredentials } from "./ambient-credentials";
import { createAmbientModel } from "./ambient-model";
import { type AwsEnvironment, createAwsEnvironment } from "./test-support/aws-environment";

const MODEL = "us.amazon.nova-lite-v1:0";
const FIRST = { accessKeyId: "AKIAFIRST0000000", secretAccessKey: "first-secret" };
const SECOND = { accessKeyId: "AKIASECOND000000", secretAccessKey: "second-secret", sessionToken: "second" };
const request: ChatRequest = { messages: [{ role: "user", content: "Hello?" }] };

let machine: AwsEnvironment;
let vendor: BedrockSimulator;
beforeEach(async () => {
	machine = createAwsEnvironment();
	machine.set({ AWS_REGION: "us-east-1" });
	vendor = await startBedrockSimulator({ credentials: [FIRST, SECOND], models: { enabled: [MODEL] } });
});
afterEach(async () => {
	await machine.close();
	await vendor.close();
});

let now = 0;
const create = (model = MODEL) =>
	createAmbientModel(createAmbientCredentials({ now: () => now }), (keys) =>
		createChatModel({ provider: "bedrock", base_url: vendor.baseUrl, model }, keys),
	);

const usedKeys = () =>
	vendor.requests.map(({ credential }) => credential?.kind === "signature" && credential.accessKeyId);

it("signs each call with the keys that the machine has by then", async () => {
	machine.set({ AWS_ACCESS_KEY_ID: FIRST.accessKeyId, AWS_SECRET_ACCESS_KEY: FIRST.secretAccessKey });
	const model = create();
	expect(model).toMatchObject({
		provider: "bedrock",
		model: MODEL,
		vendorHost: new URL(vendor.baseUrl).host,
	});
	expect(vendor.requests.length).toBe(0);
	vendor.enqueue({ kind: "reply", text: "Hello." });
	expect((await model.generate(request)).text).toBe("Hello.");
	machine.set({
		AWS_ACCESS_KEY_ID: SECOND.accessKeyId,
		AWS_SECRET_ACCESS_KEY: SECOND.secretAccessKey,
		AWS_SESSION_TOKEN: SECOND.sessionToken,
	});
	now += 60 * 60_000;
	vendor.enqueue({ kind: "reply", text: "Hello again." });
	let text = "";
	for await (const event of model.stream(request)) if (event.type === "text.delta") text += event.text;
	expect(text).toBe("Hello again.");
	expect(usedKeys()).toEqual([FIRST.accessKeyId, SECOND.accessKeyId]);
});

it("fails with what to do where the machine has none, and calls nobody", async () => {
	const model = create();
	const failure = { code: "ambient_credentials_unavailable" };
	await expect(model.generate(request)).rejects.toMatchObject(failure);
	await expect(model.stream(request)[Symbol.asyncIterator]().next()).rejects.toMatchObject(failure);
	expect(vendor.requests.length).toBe(0);
});

it("refuses other options at once", () => {
	expect(() => create("eu.amazon.nova-lite-v1:0")).toThrow("`model` is of another region");
	machine.set({ AWS_REGION: "" });
	expect(() => create()).toThrow("`credential` must name a region");
});
