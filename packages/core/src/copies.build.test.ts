import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { createAgentJsonSchema } from "./agent-json-schema";
import type * as entry from "./index";

const dist = new URL("../dist/", import.meta.url);
const esm = (await import(new URL("index.js", dist).href)) as typeof entry;
const again = (await import(new URL("index.js?again", dist).href)) as typeof entry;
const cjs = createRequire(import.meta.url)("../dist/index.cjs") as typeof entry;

const copies = { esm, again, cjs };
const pairs = Object.entries(copies).flatMap(([one, thrower]) =>
	Object.entries(copies).map(([other, tester]) => ({ one, other, thrower, tester })),
);

test("ESM and CJS are two copies, with the same exports", () => {
	expect(esm.StemmaError).not.toBe(cjs.StemmaError);
	expect(Object.keys(cjs).sort()).toEqual(Object.keys(esm).sort());
});

describe.each(pairs)("an error of $one, tested by $other", ({ thrower, tester }) => {
	test("is recognised", () => {
		const validation = thrower.validateAgent({ nodes: [] });
		const error = validation.success ? undefined : validation.error;
		expect(tester.isStemmaError(error)).toBe(true);
		expect(tester.AgentGraphError.is(error)).toBe(true);
		expect(tester.ConfigurationError.is(error)).toBe(false);
		expect(tester.ConfigurationError.is(new thrower.ConfigurationError("m"))).toBe(true);
	});
	test("keeps its name, also when it was minified", () => {
		expect(String(new thrower.ConfigurationError("m"))).toBe("ConfigurationError: m");
	});
});

test("the built schema is what the sources give", () => {
	const built: unknown = JSON.parse(readFileSync(new URL("agent.schema.json", dist), "utf8"));
	expect(built).toEqual(createAgentJsonSchema());
	const resolved = createRequire(import.meta.url).resolve("@stemma/core/agent.schema.json");
	expect(resolved).toBe(new URL("agent.schema.json", dist).pathname);
});
