import { readdirSync, readFileSync } from "node:fs";
import { type BedrockSimulator, startBedrockSimulator } from "@stemma/simulators/bedrock";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestService, type TestService } from "../http/test-support/test-service";

const machine = {
	accessKeyId: "AKIAMACHINE00000",
	secretAccessKey: "wJalrXUtnFEMIK7MDENGbPxRfiCYMACHINEKEY",
};
const messages = [{ role: "user", content: "Hello?" }];

let vendor: BedrockSimulator;
let service: TestService;

beforeAll(async () => {
	vi.stubEnv("AWS_PROFILE", undefined);
	vi.stubEnv("AWS_REGION", "us-east-1");
	vi.stubEnv("AWS_ACCESS_KEY_ID", machine.accessKeyId);
	vi.stubEnv("AWS_SECRET_ACCESS_KEY", machine.secretAccessKey);
	vi.stubEnv("AWS_SESSION_TOKEN", undefined);
	vendor = await startBedrockSimulator({ credentials: [machine] });
	service = await startTestService({
		providers: {
			aws: { provider: "bedrock", base_url: vendor.baseUrl, default_model: "m", allowed_models: ["n"] },
		},
		chat: "aws",
		aws: { allowAmbientCredentials: true },
	});
});
afterAll(async () => {
	vi.unstubAllEnvs();
	await service.end();
	await vendor.close();
});

it("signs with the machine's credentials for the operator's own configuration", async () => {
	const { status, body } = await service.send("/v1/chat/completions", {
		json: { model: "default", messages },
	});
	expect(status).toBe(200);
	expect(body.stemma.receipt).toMatchObject([{ payer: "deployment", provider: "bedrock" }]);
	expect(vendor.requests.at(-1)?.credential).toMatchObject({ accessKeyId: machine.accessKeyId });
	expect(JSON.stringify(body)).not.toContain(machine.secretAccessKey);
});

it.each(["m", "n"])("signs with them for a model that the operator lists: %s", async (model) => {
	const { status, body } = await service.send("/v1/chat/completions", { json: { messages, model } });
	expect(status).toBe(200);
	expect(body.stemma.receipt).toMatchObject([{ payer: "deployment", model }]);
	expect(vendor.requests.at(-1)?.credential).toMatchObject({ accessKeyId: machine.accessKeyId });
});

it.each([
	["model_not_allowed", { model: "o" }],
	["credential_required", { model: "default", stemma: { provider: "bedrock" } }],
	["credential_required", { model: "n", stemma: { provider: "bedrock" } }],
])("signs for no provider that was named, and no other model: %s, %j", async (code, choice) => {
	const asked = vendor.requests.length;
	const { status, body } = await service.send("/v1/chat/completions", { json: { messages, ...choice } });
	expect([status, body.error.code]).toEqual([422, code]);
	expect(vendor.requests.length).toBe(asked);
});

it("lists its models", async () => {
	const { status, body } = await service.send("/v1/models");
	expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, ["default", "m", "n"]]);
});

it("loads nothing of AWS's before it is needed", () => {
	const dist = new URL("../../dist/", import.meta.url);
	const files = readdirSync(dist).filter((name) => name.endsWith(".js"));
	const importing = files.filter((name) =>
		/^\s*(?:import|export)\b[^;(]*["']@(?:aws-sdk|smithy)\//m.test(readFileSync(new URL(name, dist), "utf8")),
	);
	expect(files.length).toBeGreaterThan(1);
	expect(importing).toEqual([]);
});
