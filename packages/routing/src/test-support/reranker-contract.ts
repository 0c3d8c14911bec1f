import { describe, expect, it } from "vitest";
import type { Reranker } from "../reranker";

/** A reranker that answers, and lists for it. */
export interface RerankerContractSubject {
	createReranker(): Reranker;
	readonly query: string;
	/** At least three that differ, the one that answers the query best first, the one that answers it least last. */
	readonly texts: readonly string[];
	/** How many requests were made so far. */
	countRequests(): number;
}

/** What holds for every `Reranker`. */
export function checkRerankerContract(name: string, subject: RerankerContractSubject): void {
	const { createReranker, query, countRequests } = subject;
	const texts = Object.freeze([...subject.texts]);
	const scoresOf = async (list: readonly string[]): Promise<readonly number[]> => {
		const { scores } = await createReranker().rerank(query, list);
		if (scores === undefined) throw new Error("It gave no scores.");
		return scores;
	};

	describe(`the contract of Reranker: ${name}`, () => {
		it("says who judges", () => {
			const { provider, model, vendorHost } = createReranker();
			expect(provider).toMatch(/^[a-z][a-z-]*$/);
			expect(model).not.toBe("");
			expect(vendorHost).not.toMatch(/[/@?#]/);
		});

		it("gives each text a score from 0 to 1, the best text the highest", async () => {
			const scores = await scoresOf(texts);
			expect(scores).toHaveLength(texts.length);
			for (const score of scores) {
				expect(score).toBeGreaterThanOrEqual(0);
				expect(score).toBeLessThanOrEqual(1);
			}
			expect(Math.max(...scores)).toBe(scores[0]);
			expect(scores.at(-1)).toBeLessThan(scores[0] ?? 0);
		});

		it("gives the scores in the order of the texts", async () => {
			const scores = await scoresOf(texts);
			expect(await scoresOf([...texts].reverse())).toEqual([...scores].reverse());
		});

		it("gives each of the same texts the same score", async () => {
			const [first, second] = await scoresOf([texts[0] ?? "", texts[0] ?? ""]);
			expect(first).toBe(second);
		});

		it("tells how often it asked, and no usage of nothing", async () => {
			const before = countRequests();
			const { attempts = 1, usage } = await createReranker().rerank(query, texts);
			expect(attempts).toBe(countRequests() - before);
			if (usage !== undefined) expect(usage.inputTokens + usage.outputTokens).toBeGreaterThan(0);
		});

		it("asks nobody about no texts", async () => {
			const before = countRequests();
			expect(await createReranker().rerank(query, [])).toEqual({ scores: [], attempts: 0 });
			expect(countRequests()).toBe(before);
		});

		it.each([
			["some", texts],
			["no", []],
		])("rejects with the reason of a signal that is aborted before, with %s texts", async (_, list) => {
			const before = countRequests();
			const call = createReranker().rerank(query, list, { signal: AbortSignal.abort("not wanted") });
			await expect(call).rejects.toBe("not wanted");
			expect(countRequests()).toBe(before);
		});

		it("rejects with the reason of a signal that aborts in between", async () => {
			const controller = new AbortController();
			const call = createReranker().rerank(query, texts, { signal: controller.signal });
			controller.abort("enough");
			await expect(call).rejects.toBe("enough");
		});

		it("can be asked several things at once", async () => {
			const reranker = createReranker();
			const [some, others] = await Promise.all([
				reranker.rerank(query, texts),
				reranker.rerank(query, [...texts].reverse()),
			]);
			expect(others.scores).toEqual([...(some.scores ?? [])].reverse());
		});
	});
}
