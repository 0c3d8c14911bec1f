import { expect, it } from "vitest";
import type { Knowledge } from "../../../../knowledge/knowledge";
import { languageCases } from "../../../../knowledge/test-support/language-cases";
import { openKnowledgeDatabase, startKnowledge } from "../../../../knowledge/test-support/memory-knowledge";
import type { Database } from "../../../database";
import type { WorkspaceTables } from "../../../workspace-tables";
import { describeOnPostgres } from "../../test-support/describe-on-postgres";

/** Words that documents are made of, some common and some rare; all of them have several forms. */
const WORDS = [
	...["refund", "refunds", "refunded", "payment", "payments", "paid", "invoice", "invoices", "customer"],
	...["office", "offices", "opening", "opens", "password", "passwords", "disclosed", "undisclosed", "steady"],
	...[
		"installation",
		"reinstall",
		"installing",
		"vector",
		"embedding",
		"embeddings",
		"die",
		"Kündigungsfrist",
	],
	...[
		"Datensicherung",
		"Häuser",
		"книга",
		"книгами",
		"退款需要多久",
		"ERR_CONN_42",
		"maxOldSpaceSize",
		"10,000",
	],
];
const QUERIES = [
	...["refund of a payment", "what is the refunded invoice of a customer", "refudns", "pasword", "Kündigung"],
	...["undisclosed payments of the customer", "reinstall", "Häusern", "книгу", "退款", "退", "err_conn_42"],
	...["max old space size", "10000 rows", "vectors and embeddings and refunds and offices", "die", "???"],
	...["the office opens when the customer has paid the invoice of the refund", "Sicherung der Daten"],
];

/** Numbers that look random and are the same each time. */
function createRandom(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * limit);
	};
}

function createTexts(count: number): string[] {
	const random = createRandom(7);
	return Array.from({ length: count }, (_, index) => {
		const words = Array.from({ length: 5 + random(60) }, () => WORDS[random(WORDS.length)] ?? "");
		return `## ${words[0]} ${index % 7}\n\nText ${index}: ${words.join(" ")}.`;
	});
}

interface OpenedBase {
	readonly knowledge: Knowledge;
	readonly base: string;
}

async function open(database: Database<WorkspaceTables>): Promise<OpenedBase> {
	const knowledge = await startKnowledge(database);
	const { id } = await knowledge.createKnowledgeBase({ name: "Words" });
	return { knowledge, base: id };
}

async function add({ knowledge, base }: OpenedBase, texts: readonly string[]): Promise<void> {
	const documents = texts.map((content) => ({
		content,
		format: "markdown" as const,
		title: "Notes on refunds",
	}));
	await knowledge.addDocuments(base, documents);
	await knowledge.waitUntilIdle();
}

/** Texts with their scores, best first; those with the same score by their texts. */
async function search({ knowledge, base }: OpenedBase, query: string): Promise<readonly [string, number][]> {
	const found = await knowledge.search({ query, knowledge_base_ids: [base], top_k: 20 });
	return found.map(({ text, score }) => [text, score]);
}

/** Digits behind the point in which scores agree. */
const DIGITS = 6;

async function expectSame(one: OpenedBase, other: OpenedBase, query: string): Promise<void> {
	const [expected, found] = [await search(one, query), await search(other, query)];
	expect(found.map(([text]) => text)).toEqual(expected.map(([text]) => text));
	for (const [index, [, score]] of expected.entries()) expect(found[index]?.[1]).toBeCloseTo(score, DIGITS);
}

describeOnPostgres("search by words", ({ openWorkspace }) => {
	const openBoth = async () => [await open(openKnowledgeDatabase()), await open(openWorkspace())] as const;

	it("finds what SQLite finds, with the same scores", async () => {
		const [sqlite, postgres] = await openBoth();
		const texts = createTexts(300);
		await add(sqlite, texts);
		await add(postgres, texts);
		for (const query of QUERIES) await expectSame(sqlite, postgres, query);
	});

	it("finds by a typo what was added after a search for it, and not what was deleted", async () => {
		const opened = await open(openWorkspace());
		await add(opened, ["The office opens at nine."]);
		expect(await search(opened, "frequncy")).toEqual([]);
		await add(opened, ["The frequency of meetings is high."]);
		expect((await search(opened, "frequncy")).map(([text]) => text)).toEqual([
			"The frequency of meetings is high.",
		]);
		const { knowledge, base } = opened;
		const [found] = await knowledge.search({ query: "frequency", knowledge_base_ids: [base] });
		await knowledge.deleteDocument(base, found?.document_id ?? "");
		await knowledge.waitUntilIdle();
		expect(await search(opened, "frequncy")).toEqual([]);
	});

	it.each(languageCases)("finds %s as SQLite does", async (_, query, ...documents) => {
		const both = await openBoth();
		for (const opened of both) await add(opened, documents.toReversed());
		await expectSame(...both, query);
		const [first] = await search(both[1], query);
		expect(first?.[0]).toContain(documents[0]);
	});
});
