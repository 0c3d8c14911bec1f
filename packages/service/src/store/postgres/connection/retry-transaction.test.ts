import { expect, it } from "vitest";
import { toPostgresError } from "./postgres-error";
import { retryTransaction } from "./retry-transaction";

const fail = (code: string): never => {
	throw toPostgresError(Object.assign(new Error("It failed"), { code }));
};

it("a transaction that failed for another one runs again, up to 5 times", async () => {
	let runs = 0;
	const succeedThirdTime = async (): Promise<number> => (++runs < 3 ? fail("40001") : runs);
	expect(await retryTransaction(succeedThirdTime)).toBe(3);
	runs = 0;
	const fails = retryTransaction(async () => {
		runs += 1;
		return fail("40P01");
	});
	await expect(fails).rejects.toMatchObject({ code: "storage_unavailable" });
	expect(runs).toBe(5);
});

it("a transaction that failed by itself runs once", async () => {
	let runs = 0;
	const fails = retryTransaction(async () => {
		runs += 1;
		return fail("23505");
	});
	await expect(fails).rejects.toThrow("It failed");
	expect(runs).toBe(1);
});
