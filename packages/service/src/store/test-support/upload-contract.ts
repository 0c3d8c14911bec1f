import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KnowledgeRepositories } from "../../knowledge/repositories/knowledge-repositories";
import {
	addTo,
	claimFrom,
	ingest,
	type OpenedKnowledge,
	space,
	toNewDocument,
	toText,
} from "./knowledge-fixture";

/** Contract that each upload queue keeps. @param open - an empty one. */
export function describeUploadRepository(open: () => OpenedKnowledge): void {
	describe("a queue of uploads", () => {
		let opened: OpenedKnowledge;
		let repositories: KnowledgeRepositories;
		let base: string;
		beforeEach(async () => {
			opened = open();
			({ repositories } = opened);
			base = await opened.addKnowledgeBase();
		});
		afterEach(() => opened.close());

		const add = (...texts: readonly string[]) =>
			addTo(
				repositories,
				base,
				texts.map((text) => toNewDocument(text, { source: text })),
			);
		const recover = (now = 5) => repositories.uploads.recover({ space: null, now });

		it("gives originals in order, as many as wanted and as fit, and one in any case", async () => {
			await add("first", "second", "third");
			const claim = async (options: object) => (await claimFrom(repositories, options)).map(toText);
			expect(await claim({ maxDocuments: 2 })).toEqual(["first", "second"]);
			expect(await claim({ maxBytes: 11 })).toEqual(["first", "second"]);
			expect(await claim({ maxBytes: 1 })).toEqual(["first"]);
			expect(await claim({ hasVectors: true })).toEqual([]);
			const [first, second] = await claimFrom(repositories);
			expect(first).toMatchObject({ attempts: 0, source: "first", format: "text", givenTitle: null });
			const selection = { hasVectors: false, after: first?.number ?? 0, excluded: [second?.number ?? 0] };
			expect(await claim(selection)).toEqual(["third"]);
			expect(await repositories.uploads.hasWaiting(selection)).toBe(true);
			expect(await repositories.uploads.hasWaiting({ ...selection, after: Number.MAX_SAFE_INTEGER })).toBe(
				false,
			);
			expect(await repositories.uploads.count()).toBe(3);
		});

		it("gives what was claimed when a process ended again, alone, and counts its attempts", async () => {
			await add("a", "b", "c");
			await claimFrom(repositories, { maxDocuments: 2 });
			await recover();
			const [claimed, ...others] = await claimFrom(repositories);
			expect([claimed?.attempts, others]).toEqual([1, []]);
			const number = claimed?.number ?? 0;
			await repositories.uploads.countAttempt(number);
			expect((await claimFrom(repositories))[0]?.attempts).toBe(2);
			await repositories.uploads.returnToQueue([{ number, attempts: 0 }]);
			expect((await claimFrom(repositories)).map(({ attempts }) => attempts)).toEqual([0]);
			expect((await claimFrom(repositories, { after: number + 1 })).map(toText)).toEqual(["c"]);
		});

		it("puts back what was claimed: its document waits again, and no attempt is counted after a crash", async () => {
			await add("a");
			const [claimed] = await claimFrom(repositories);
			await repositories.uploads.returnToQueue([{ number: claimed?.number ?? 0, attempts: 0 }]);
			expect(await repositories.documents.list(base, { limit: 1 })).toMatchObject([{ status: "queued" }]);
			await recover();
			expect(await claimFrom(repositories)).toMatchObject([{ attempts: 0 }]);
		});

		it("moves an upload to the end of the queue for vectors, unless it is wanted no more", async () => {
			await add("a", "b");
			const [a, b] = await claimFrom(repositories);
			const requeued = await repositories.uploads.requeue({ upload: a?.number ?? 0, vendorFailures: 1 });
			expect(requeued).toBeGreaterThan(b?.number ?? 0);
			expect((await claimFrom(repositories, { hasVectors: true })).map(toText)).toEqual(["a"]);
			expect(await repositories.uploads.requeue({ upload: a?.number ?? 0, vendorFailures: 1 })).toBeNull();
			const numbers = [requeued ?? 0, a?.number ?? 0, b?.number ?? 0];
			expect([...(await repositories.uploads.filterCurrent(numbers))].sort()).toEqual([b?.number, requeued]);
		});

		it("fails what waits for vectors of another space, and reads without vectors what has none to compare", async () => {
			await ingest(repositories, base, [toNewDocument("A car.")], [[1, 0]]);
			const other = await opened.addKnowledgeBase();
			for (const id of [base, other]) await addTo(repositories, id, [toNewDocument("Waits.")], { space });
			await recover(9);
			const [document] = (await claimFrom(repositories)).map(toText);
			expect(document).toBe("Waits.");
			expect(await repositories.documents.list(base, { limit: 5, status: "failed" })).toMatchObject([
				{ error: { code: "embedding_space_changed" }, updated_at: 9 },
			]);
			expect(await repositories.uploads.count()).toBe(1);
		});
	});
}
