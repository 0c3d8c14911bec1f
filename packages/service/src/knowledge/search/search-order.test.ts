import { beforeEach, expect, it } from "vitest";
import type { Knowledge } from "../knowledge";
import { openKnowledgeDatabase, startKnowledge } from "../test-support/memory-knowledge";

const WORDS = ["refund", "return", "parcel", "invoice", "address", "payment", "shipping", "discount"];
/** More than an earlier version had word indexes. */
const EARLIER_INDEX_COUNT = 40;

let knowledge: Knowledge;
beforeEach(async () => {
	knowledge = await startKnowledge(openKnowledgeDatabase());
});

/** Numbers that look random and are the same each time. */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}

function makeText(random: () => number): string {
	const length = 3 + Math.floor(random() * 9);
	return Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
}

async function add(knowledgeBase: string, texts: readonly string[]): Promise<void> {
	await knowledge.addDocuments(
		knowledgeBase,
		texts.map((content, index) => ({ content, format: "text", title: `Note ${index}` })),
	);
	await knowledge.waitUntilIdle();
}

it("returns the same first passages whatever top_k is", async () => {
	const { id } = await knowledge.createKnowledgeBase({ name: "Notes" });
	const random = createRandom(7);
	await add(
		id,
		Array.from({ length: 90 }, (_, index) => `${makeText(random)} ${index}`),
	);
	for (const query of ["refund of a parcel", "shippings discounts", "adress invoices payment"]) {
		const search = async (top_k: number) =>
			(await knowledge.search({ query, knowledge_base_ids: [id], top_k })).map(({ passage_id, score }) => [
				passage_id,
				score,
			]);
		const all = await search(50);
		expect(all.length).toBeGreaterThan(10);
		for (let topK = 1; topK <= 50; topK++) expect(await search(topK)).toEqual(all.slice(0, topK));
	}
});

it("ranks a knowledge base by its own documents alone", async () => {
	const random = createRandom(3);
	const { id } = await knowledge.createKnowledgeBase({ name: "First" });
	await add(
		id,
		Array.from({ length: 20 }, (_, index) => `${makeText(random)} ${index}`),
	);
	const search = async () =>
		(await knowledge.search({ query: "refund shipping address", knowledge_base_ids: [id], top_k: 20 })).map(
			({ passage_id, score }) => [passage_id, score],
		);
	const before = await search();
	for (let count = 0; count < EARLIER_INDEX_COUNT; count++) {
		const other = await knowledge.createKnowledgeBase({ name: "Other" });
		await add(other.id, [`refund ${count}`]);
	}
	expect(await search()).toEqual(before);
});

it("gives scores that are shares of the best possible", async () => {
	const { id } = await knowledge.createKnowledgeBase({ name: "Notes" });
	await add(id, ["A refund takes 14 days.", "Offices open at nine.", "Cards expire.", "Parcels are sent."]);
	const [refund] = await knowledge.search({ query: "refund", knowledge_base_ids: [id] });
	const [half] = await knowledge.search({ query: "refund helicopter", knowledge_base_ids: [id] });
	expect(refund?.score).toBeGreaterThan(0.3);
	expect(refund?.score).toBeLessThanOrEqual(1);
	expect(half?.score).toBeLessThan((refund?.score ?? 0) / 1.5);
});
