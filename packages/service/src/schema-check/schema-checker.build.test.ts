import { afterEach, describe, expect, it } from "vitest";
import type * as source from "./schema-checker";

// The package does not export it.
const path = new URL("../../dist/schema-checker.js", import.meta.url).href;
const { createSchemaChecker } = (await import(path)) as typeof source;

let checker: source.SchemaChecker;
afterEach(() => checker.stop());

/** Takes longer than the universe is old. */
const hostile = { type: "string", pattern: "^(a+)+$" };
const attack = JSON.stringify(`${"a".repeat(100)}!`);

describe("the schema checker", () => {
	it("checks JSON against a schema, and schemas themselves", async () => {
		checker = createSchemaChecker();
		expect(await checker.check(hostile, '"aaa"')).toEqual({ valid: true });
		expect(await checker.check(hostile, '"b"')).toMatchObject({ valid: false });
		expect(await checker.check(hostile, "b")).toMatchObject({
			valid: false,
			errors: ["The text is not JSON."],
		});
		expect(await checker.check(hostile)).toEqual({ valid: true });
		expect(await checker.check({ $ref: "#/$defs/missing" })).toMatchObject({ valid: false });
	});

	it("ends a check that takes too long, while this thread goes on, and does the next one", async () => {
		checker = createSchemaChecker({ timeoutMs: 200 });
		let turns = 0;
		const counting = setInterval(() => turns++, 1);
		const results = await Promise.allSettled([checker.check(hostile, attack), checker.check(hostile, '"a"')]);
		clearInterval(counting);
		expect(results).toMatchObject([
			{ reason: { message: "The schema takes longer than 0.2 s to check." } },
			{ value: { valid: true } },
		]);
		expect(turns).toBeGreaterThan(1);
	});

	it("refuses what is too large, and checks nothing after it was stopped", async () => {
		checker = createSchemaChecker();
		const large = " ".repeat(3_000_000);
		await expect(checker.check({}, large)).rejects.toThrow("too large to check");
		await expect(checker.check({ description: large })).rejects.toThrow("too large to check");
		await checker.stop();
		await expect(checker.check({})).rejects.toThrow("stopping");
	});
});
