import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Retention, StorageRepository } from "../../storage/storage-repository";
import { DAY_MS } from "../../usage/day";

/** A store with one run and one response a day, the newest of today: the oldest have ended, the last two have not. */
export interface OpenedStorage {
	readonly repository: StorageRepository;
	/** Runs, oldest first, by how many days old they are. */
	listRuns(): Promise<readonly number[]>;
	/** Responses, oldest first, by how many days old they are. */
	listResponses(): Promise<readonly number[]>;
	/** Adds so many bytes to a run, and removes them again. */
	addBytes(bytes: number): Promise<void>;
	removeBytes(): Promise<void>;
	close(): Promise<void>;
}

const EVERYTHING: Retention = { runs: 1_000, receipts: 1_000, feedback: 1_000 };

/** Contract that each store keeps about its size and retention. @param open - a store at a time, with runs of 30 days. */
export function describeStorageRepository(open: (now: number, days: number) => Promise<OpenedStorage>): void {
	describe("the storage of a workspace", () => {
		const now = Date.parse("2026-03-01T12:00:00Z");
		let opened: OpenedStorage;
		beforeEach(async () => {
			opened = await open(now, 30);
		});
		afterEach(() => opened.close());

		async function sweep(retention: Partial<Retention>, at = now): Promise<readonly number[]> {
			while (await opened.repository.sweep({ retention: { ...EVERYTHING, ...retention }, now: at }));
			return opened.listRuns();
		}

		it("tells how much there is", async () => {
			const { repository } = opened;
			expect(await repository.readCounts()).toEqual({ documents: 0, runs: 30 });
			const before = await repository.readBytes();
			await opened.addBytes(1_000_000);
			expect((await repository.readBytes()) - before).toBeGreaterThan(900_000);
			await opened.removeBytes();
			expect(await repository.readBytes()).toBeLessThan(before + 10_000);
		});

		it("keeps everything where there is no limit, else the newest runs and those that have not ended", async () => {
			expect(await sweep({})).toHaveLength(30);
			expect(await sweep({ runs: 5 })).toEqual([4, 3, 2, 1, 0]);
			expect(await sweep({ runs: 1 })).toEqual([1, 0]);
		});

		it("keeps responses as it keeps runs", async () => {
			await sweep({});
			expect(await opened.listResponses()).toHaveLength(30);
			await sweep({ runDays: 10 });
			expect(await opened.listResponses()).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
			await sweep({ runs: 3 });
			expect(await opened.listResponses()).toEqual([2, 1, 0]);
			await sweep({ runs: 1 });
			expect(await opened.listResponses()).toEqual([1, 0]);
		});

		it("keeps runs for so many days after their end", async () => {
			expect(await sweep({ runDays: 10 })).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
			expect(await sweep({ runDays: 10 }, now + 100 * DAY_MS)).toEqual([1, 0]);
		});
	});
}
