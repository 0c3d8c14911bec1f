import { ConfigurationError } from "@stemma/core/errors";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBedrockModel } from "./create";
import { parseBedrockCredential } from "./credential";
import { type BedrockOptions, readOptions } from "./options";

const KEYS = "AKIDEXAMPLE:secret-98765";
const OPTIONS = {
	baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	model: "eu.amazon.nova-lite-v1:0",
	apiKey: KEYS,
};
const GATEWAY = "http://127.0.0.1:9";
afterEach(() => vi.unstubAllGlobals());

function refusalOf(options: object): ConfigurationError {
	try {
		createBedrockModel({ ...OPTIONS, ...options } as BedrockOptions);
	} catch (error) {
		if (ConfigurationError.is(error)) return error;
		throw error;
	}
	throw new Error("It was taken.");
}

describe("the region", () => {
	it("is that of the base URL, whatever the credential says", () => {
		expect(readOptions(OPTIONS).region).toBe("eu-central-1");
		expect(readOptions({ ...OPTIONS, apiKey: `${KEYS}:us-east-1` }).region).toBe("eu-central-1");
	});

	it("is the credential's where the base URL has none", () => {
		const options = { ...OPTIONS, baseUrl: GATEWAY, apiKey: `${KEYS}:eu-west-1` };
		expect(readOptions(options).region).toBe("eu-west-1");
	});

	it("is needed to sign, and only to sign", () => {
		const error = refusalOf({ baseUrl: GATEWAY });
		expect(error.hint).toMatch(/`baseUrl`.*`ACCESS:SECRET:REGION`/);
		expect(createBedrockModel({ ...OPTIONS, baseUrl: GATEWAY, apiKey: "bearer" }).vendorHost).toBe(
			"127.0.0.1:9",
		);
	});

	it("decides which models there are", () => {
		const error = refusalOf({ model: "us.amazon.nova-lite-v1:0" });
		expect(error.code).toBe("region_mismatch");
		expect(error.hint).toContain("`eu.amazon.nova-lite-v1:0`");
		const owned = refusalOf({
			model: "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a",
		});
		expect(owned).toMatchObject({ code: "region_mismatch", hint: expect.stringContaining("`baseUrl`") });
		expect(createBedrockModel({ ...OPTIONS, model: "global.amazon.nova-lite-v1:0" }).provider).toBe(
			"bedrock",
		);
	});
});

describe("a credential", () => {
	it("may be parsed or text", () => {
		const { apiKey, ...rest } = OPTIONS;
		for (const credential of [apiKey, parseBedrockCredential(apiKey)])
			expect(readOptions({ ...rest, credential }).secret.kind).toBe("sigv4");
	});

	it.each([
		["half a pair", { apiKey: "AKIDEXAMPLE:" }],
		["nothing", { apiKey: undefined }],
		["blank", { apiKey: " " }],
		["a copy", { credential: { kind: "sigv4" } }],
		["a number", { credential: 7 }],
	])("that is none is refused: %s", (_, options) => {
		const error = refusalOf(options);
		expect(`${error.message}${error.hint}`).not.toContain("98765");
	});

	it("that signs is refused where nothing can, one that is sent is not", () => {
		vi.stubGlobal("crypto", {});
		const error = refusalOf({});
		expect(error).toMatchObject({ code: "signing_not_supported", hint: expect.stringContaining("`apiKey`") });
		vi.stubGlobal("crypto", undefined);
		expect(refusalOf({}).code).toBe("signing_not_supported");
		expect(createBedrockModel({ ...OPTIONS, apiKey: "bearer" }).model).toBe(OPTIONS.model);
	});
});

it.each([
	["baseUrl", "https://bedrock.eu-central-1.amazonaws.com"],
	["baseUrl", "x"],
	["model", ""],
	["model", ".."],
	["model", "eu.amazon nova"],
	["model", "\ud800"],
	["maxRetries", -1],
])("`%s` is refused as %j", (option, value) => {
	expect(refusalOf({ [option]: value }).message).toContain(`\`${option}\``);
});
