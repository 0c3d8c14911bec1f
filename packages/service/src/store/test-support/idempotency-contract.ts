import { describe, expect, it } from "vitest";
import type { IdempotencyRecord, IdempotencyRepository } from "../idempotency-repository";

/** Record that expires at 1,000. */
export const toIdempotencyRecord = (parts: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
	caller_id: "cl_1",
	route: "POST /v1/agents",
	key: "key",
	body_fingerprint: "fingerprint",
	reference: null,
	status: 201,
	answer: '{"id":"ag_1"}',
	expires_at: 1000,
	...parts,
});

/** Contract that each store of requests keeps. @param open - an empty one. */
export function describeIdempotencyRepository(open: () => IdempotencyRepository): void {
	describe("a repository of requests that may be sent again", () => {
		it("finds a request by its caller, route and key together", async () => {
			const repository = open();
			const stored = toIdempotencyRecord();
			await repository.replace(stored);
			expect(await repository.find(stored, 999)).toEqual(stored);
			for (const other of [{ caller_id: "cl_2" }, { route: "POST /v1/clients" }, { key: "other" }])
				expect(await repository.find(toIdempotencyRecord(other), 999)).toBeUndefined();
		});

		it("has one record of a request: the last", async () => {
			const repository = open();
			await repository.replace(toIdempotencyRecord({ status: null, answer: null, reference: "run_1" }));
			const last = toIdempotencyRecord({ body_fingerprint: "other" });
			await repository.replace(last);
			expect(await repository.find(last, 0)).toEqual(last);
		});

		it("finds no record that has expired, and deletes it", async () => {
			const repository = open();
			const [early, late] = [
				toIdempotencyRecord({ key: "early" }),
				toIdempotencyRecord({ key: "late", expires_at: 2000 }),
			];
			for (const record of [early, late]) await repository.replace(record);
			expect(await repository.find(early, 1000)).toBeUndefined();
			await repository.deleteExpired(1000);
			expect([await repository.find(early, 0), await repository.find(late, 0)]).toEqual([undefined, late]);
		});
	});
}
