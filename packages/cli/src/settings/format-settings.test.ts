import { expect, it } from "vitest";
import { formatSettings } from "./format-settings";

const SETTINGS = {
	provider: "openai-compatible",
	base_url: "https://a.example/v1",
	model: "small\u001b[31m",
	has_api_key: true,
	status: "ok",
	created_at: "2026-01-01T00:00:00.000Z",
	updated_at: "2026-01-02T00:00:00.000Z",
	updated_by: "cl_1",
} as const;

it.each([
	[{}, "stored, encrypted"],
	[{ has_api_key: false }, "none"],
	[
		{ status: "undecryptable" as const },
		"stored, but no encryption key of the service decrypts it: set it again",
	],
])("shows settings with %o", (over, key) => {
	expect(formatSettings({ ...SETTINGS, ...over })).toBe(
		`  provider  openai-compatible
  address   https://a.example/v1
  model     small[31m
  API key   ${key}
  set       2026-01-02T00:00:00.000Z by cl_1
`,
	);
});
