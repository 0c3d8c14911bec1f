import { expect, it } from "vitest";
import { formatProviders } from "./format-providers";

it("shows vendors with how to get a key", () => {
	const vendor = { id: "a", name: "A", provider: "openai-compatible", base_url: "https://a.example" };
	expect(
		formatProviders([
			{
				...vendor,
				models: ["m", "n"],
				needs_api_key: true,
				api_key_hint: "Here:",
				api_key_url: "https://a.example/keys",
			},
			{ ...vendor, id: "local", models: ["<name>"], needs_api_key: false, api_key_hint: "None." },
		]),
	).toBe(`  VENDOR  PROVIDER           API KEY  ADDRESS
  a       openai-compatible  yes      https://a.example
          Models: m, n. Here: https://a.example/keys
  local   openai-compatible  no       https://a.example
          Models: <name>. None.
`);
});
