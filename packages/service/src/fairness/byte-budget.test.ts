import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget";

const open = () =>
	createByteBudget({
		totalBytes: 100,
		workspaceBytes: 60,
		name: "things",
		settings: { total: "limits.total_things", workspace: "limits.things" },
	});

test("a workspace uses no more than its share, and others have the rest", () => {
	const budget = open();
	const first = budget.open("a");
	first.add(60);
	const more = budget.open("a");
	expect(() => more.add(1)).toThrow(
		expect.objectContaining({
			code: "too_many_bytes",
			retryAfterSeconds: 1,
			hint: expect.stringContaining("limits.things"),
		}),
	);
	expect(more.bytes).toBe(0);
	budget.open("b").add(40);
	expect(budget.usedBytes).toBe(100);
});

test("all together use no more than the whole", () => {
	const budget = open();
	budget.open("a").add(60);
	budget.open("b").add(30);
	const account = budget.open("c");
	const short = expect.objectContaining({
		code: "too_many_bytes",
		origin: "deployment",
		hint: expect.stringContaining("limits.total_things"),
	});
	expect(() => account.check(11)).toThrow(short);
	expect(() => account.add(11)).toThrow(short);
	account.add(10);
});

test("what is released can be used again, once", () => {
	const budget = open();
	const account = budget.open("a");
	account.add(60);
	account.release();
	account.release();
	expect(budget.usedBytes).toBe(0);
	budget.open("a").add(60);
});
