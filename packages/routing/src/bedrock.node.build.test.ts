import { createRequire } from "node:module";
import { afterEach, expect, it, vi } from "vitest";

const dist = new URL("../dist/", import.meta.url);
const require = createRequire(import.meta.url);
afterEach(() => vi.unstubAllGlobals());

const OPTIONS = {
	baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	model: "eu.amazon.nova-lite-v1:0",
	credential: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
};

/** Node 18 has no global `crypto`; a bundler that thinks the entry free of side effects would leave it so. */
it.each([
	["ESM", () => import(new URL("bedrock.node.js", dist).href)],
	["CommonJS", () => require(new URL("bedrock.node.cjs", dist).pathname)],
])("signs where Node has WebCrypto under another name: %s", async (_, load) => {
	vi.stubGlobal("crypto", undefined);
	const { createBedrockModel } = await load();
	expect(createBedrockModel(OPTIONS).provider).toBe("bedrock");
	expect(globalThis.crypto.subtle).toBeDefined();
});

it("changes nothing elsewhere", async () => {
	vi.stubGlobal("crypto", undefined);
	const { createBedrockModel } = await import(new URL("bedrock.js", dist).href);
	expect(() => createBedrockModel(OPTIONS)).toThrow("no WebCrypto");
	expect(globalThis.crypto).toBeUndefined();
});
