import { ConfigurationError } from "@stemma/core/errors";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBedrockModel } from "./create";
import { parseBedrockCredential } from "./credential/credential";
import { type BedrockOptions, readOptions } from "./options";

const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret-98765" };
const BEARER = { apiKey: "bearer" };
const OPTIONS = {
	baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	model: "eu.amazon.nova-lite-v1:0",
	credential: KEYS,
};
const GATEWAY = "http://127.0.0.1:9";
afterEach(() => vi.unstubAllGlobals());

function errorOf(options: object): ConfigurationError {
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
		expect(readOptions({ ...OPTIONS, credential: { ...KEYS, region: "us-east-1" } }).region).toBe(
			"eu-central-1",
		);
	});

	it("is the credential's where the base URL has none", () => {
		const options = { ...OPTIONS, baseUrl: GATEWAY, credential: { ...KEYS, region: "eu-west-1" } };
		expect(readOptions(options).region).toBe("eu-west-1");
		const credential = parseBedrockCredential("AKIDEXAMPLE:secret-98765:eu-west-2");
		expect(readOptions({ ...options, credential }).region).toBe("eu-west-2");
		const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret-98765" };
		const json = parseBedrockCredential(JSON.stringify({ credentials: keys, region: "eu-west-3" }));
		expect(readOptions({ ...options, credential: json }).region).toBe("eu-west-3");
		expect(readOptions({ ...OPTIONS, credential: json }).region).toBe("eu-central-1");
	});

	it("is needed to sign, and only to sign", () => {
		const error = errorOf({ baseUrl: GATEWAY });
		expect(error).toMatchObject({ option: "credential", message: expect.stringMatching(/^`credential`/) });
		expect(error.hint).toMatch(/`region`.*`credential`.*`ACCESS:SECRET:REGION`/);
		expect(createBedrockModel({ ...OPTIONS, baseUrl: GATEWAY, credential: BEARER }).vendorHost).toBe(
			"127.0.0.1:9",
		);
	});

	it("decides which models there are", () => {
		const error = errorOf({ model: "us.amazon.nova-lite-v1:0" });
		expect(error).toMatchObject({ code: "region_mismatch", option: "model" });
		expect(error.hint).toContain("`eu.amazon.nova-lite-v1:0`");
		const owned = errorOf({
			model: "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a",
		});
		expect(owned).toMatchObject({ code: "region_mismatch", hint: expect.stringContaining("`baseUrl`") });
		expect(createBedrockModel({ ...OPTIONS, model: "global.amazon.nova-lite-v1:0" }).provider).toBe(
			"bedrock",
		);
	});
});

describe("a credential", () => {
	it.each([
		[KEYS, "AKIDEXAMPLE:secret-98765"],
		[
			{ ...KEYS, sessionToken: "a:token" },
			'{"access_key_id":"AKIDEXAMPLE","secret_access_key":"secret-98765","session_token":"a:token"}',
		],
		[BEARER, "bearer"],
	])("may be plain or parsed", (credential, text) => {
		for (const given of [credential, parseBedrockCredential(text)])
			expect(readOptions({ ...OPTIONS, credential: given }).secret).toEqual(credential);
	});

	it("that is plain may be changed afterwards", () => {
		const credential = { ...KEYS };
		const { secret } = readOptions({ ...OPTIONS, credential });
		credential.secretAccessKey = "a key that cannot be sent";
		expect(secret).toEqual(KEYS);
	});

	it.each([
		["half a pair", { ...KEYS, secretAccessKey: undefined }],
		["an empty half", { ...KEYS, accessKeyId: "" }],
		["a secret with a blank", { ...KEYS, secretAccessKey: "secret 98765" }],
		["a token that no header takes", { ...KEYS, sessionToken: "98765é" }],
		["a region that no header takes", { ...KEYS, region: "98765\n" }],
		["a number as a secret", { ...KEYS, secretAccessKey: 98765 }],
		["a blank API key", { apiKey: " " }],
		["an API key with a blank", { apiKey: "98765 " }],
		["AWS keys as an API key", { apiKey: "AKIDEXAMPLE:secret-98765" }],
		["text", "AKIDEXAMPLE:secret-98765"],
		["nothing", undefined],
		["null", null],
		["a copy", { ...parseBedrockCredential("AKIDEXAMPLE:secret-98765") }],
		["a number", 98765],
	])("that is none is refused: %s", (_, credential) => {
		const error = errorOf({ credential });
		expect(error.message).toContain("`credential`");
		expect(`${error.message}${error.hint}`).not.toContain("98765");
	});

	it("that signs is refused where nothing can, one that is sent is not", () => {
		vi.stubGlobal("crypto", {});
		const error = errorOf({});
		expect(error).toMatchObject({
			code: "signing_not_supported",
			hint: expect.stringContaining("`credential`"),
		});
		vi.stubGlobal("crypto", undefined);
		expect(errorOf({}).code).toBe("signing_not_supported");
		expect(createBedrockModel({ ...OPTIONS, credential: BEARER }).model).toBe(OPTIONS.model);
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
	expect(errorOf({ [option]: value }).message).toContain(`\`${option}\``);
});
