import { fileURLToPath } from "node:url";
import { createConfig, lint } from "@redocly/openapi-core";
import { expect, it } from "vitest";

/** Rules that do not fit, with the reason. */
const RULES_OFF = {
	// A tag is a part of the path.
	"tag-description": "off",
	// Pages of a sign-in lead to other pages.
	"operation-2xx-response": "off",
} as const;

it.each(["openapi.json", "openapi-runtime.json"])(
	"%s passes the rules that Redocly recommends",
	async (name) => {
		const config = await createConfig({ extends: ["recommended"], rules: RULES_OFF });
		const ref = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
		const problems = await lint({ ref, config });
		expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
	},
);
