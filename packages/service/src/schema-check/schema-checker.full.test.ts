import { afterEach, describe, expect, it } from "vitest";
import { toStatus } from "../http/statuses";
import type * as source from "./schema-checker";

// The package does not export it.
const path = new URL("../../dist/schema-checker.js", import.meta.url).href;
const { createSchemaChecker } = (await import(path)) as typeof source;

let checker: source.SchemaChecker;
afterEach(() => checker.stop());

/** At each level of a value, two alternatives that look at everything below it. */
const hostileSchema = {
	$ref: "#/$defs/tree",
	$defs: {
		tree: {
			anyOf: [
				{ const: "leaf" },
				{ type: "array", items: { $ref: "#/$defs/tree" } },
				{ type: "array", minItems: 1, items: { $ref: "#/$defs/tree" } },
			],
		},
	},
};
/** Takes longer than the universe is old. */
const attack = `${"[".repeat(100)}1${"]".repeat(100)}`;

describe("the schema checker", () => {
	it("checks JSON against a schema, and schemas themselves", async () => {
		checker = createSchemaChecker();
		const { check } = checker.forWorkspace("ws_1");
		expect(await check(hostileSchema, '["leaf"]')).toEqual({ valid: true });
		expect(await check(hostileSchema, '"b"')).toMatchObject({ valid: false });
		expect(await check(hostileSchema, "b")).toMatchObject({
			valid: false,
			errors: ["The text is not JSON."],
		});
		expect(await check(hostileSchema)).toEqual({ valid: true });
		expect(await check({ $ref: "#/$defs/missing" })).toMatchObject({ valid: false });
		expect(await check({ pattern: "(a)\\1" })).toMatchObject({
			valid: false,
			errors: [expect.stringContaining("refers back")],
		});
	});

	it("ends a check that takes too long, while this thread goes on, and does the next one", async () => {
		checker = createSchemaChecker({ timeoutMs: 200 });
		const { check } = checker.forWorkspace("ws_1");
		let turns = 0;
		const counting = setInterval(() => turns++, 1);
		const results = await Promise.allSettled([check(hostileSchema, attack), check(hostileSchema, '"leaf"')]);
		clearInterval(counting);
		expect(results).toMatchObject([
			{ reason: { message: "The schema takes longer than 0.2 s to check." } },
			{ value: { valid: true } },
		]);
		expect(turns).toBeGreaterThan(1);
	});

	it("lets no workspace wait for another one's slow schemas", async () => {
		checker = createSchemaChecker({ timeoutMs: 400 });
		const slow = checker.forWorkspace("ws_slow");
		const normalSchema = checker.forWorkspace("ws_honest");
		const order: string[] = [];
		const attacks = Array.from({ length: 3 }, () =>
			slow.check(hostileSchema, attack).catch(() => order.push("slow")),
		);
		// The first check of the slow one, at the most, is before it.
		await normalSchema.check(hostileSchema, '"leaf"').then(() => order.push("honest"));
		expect(order.length).toBeLessThanOrEqual(2);
		// From now on the slow one waits in a thread of its own.
		for (let count = 0; count < 5; count++)
			expect(await normalSchema.check(hostileSchema, '"leaf"')).toEqual({ valid: true });
		await Promise.all(attacks);
		expect(order.filter((name) => name === "slow")).toHaveLength(3);
	});

	it("refuses more waiting checks of one workspace's schemas than there may be", async () => {
		checker = createSchemaChecker();
		const { check } = checker.forWorkspace("ws_1");
		const checks = Array.from({ length: 502 }, () => check(hostileSchema));
		for (const waiting of checks.slice(0, -1)) waiting.catch(() => undefined);
		const refusal = await checks.at(-1)?.then(
			() => undefined,
			(error) => error,
		);
		expect(refusal).toMatchObject({ code: "too_many_waiting" });
		expect(toStatus(refusal)).toBe(429);
	});

	it("refuses no check of a reply, which was paid for, however many wait", async () => {
		checker = createSchemaChecker();
		const { check } = checker.forWorkspace("ws_1");
		const checks = Array.from({ length: 600 }, () => check(hostileSchema, '"leaf"'));
		expect(await Promise.all(checks)).toEqual(checks.map(() => ({ valid: true })));
	});

	it("leaves the queue when nobody waits any more", async () => {
		checker = createSchemaChecker({ timeoutMs: 200 });
		const { check } = checker.forWorkspace("ws_1");
		const controller = new AbortController();
		const [first, second] = [check(hostileSchema, attack), check(hostileSchema, attack, controller.signal)];
		controller.abort(new Error("gone"));
		await expect(second).rejects.toThrow("gone");
		await expect(first).rejects.toThrow("longer than");
	});

	it("refuses what is too large, and checks nothing after it was stopped", async () => {
		checker = createSchemaChecker();
		const { check } = checker.forWorkspace("ws_1");
		const large = " ".repeat(3_000_000);
		await expect(check({}, large)).rejects.toThrow("too large to check");
		await expect(check({ description: large })).rejects.toThrow("too large to check");
		await checker.stop();
		await expect(check({})).rejects.toThrow("stopping");
	});
});
