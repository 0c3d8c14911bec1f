import { beforeEach, describe, expect, it } from "vitest";
import type { Knowledge } from "../../knowledge/knowledge";
import { openKnowledgeDatabase, startKnowledge } from "../../knowledge/test-support/memory-knowledge";
import { reachesMinCoverage } from "./coverage-threshold";

/** Default of `answers.min_coverage`. */
const MIN_COVERAGE = 0.52;

let knowledge: Knowledge;
beforeEach(async () => {
	knowledge = await startKnowledge(openKnowledgeDatabase());
});

/** Adds each text as a document, and tells for each question whether it is answered. */
async function listAnswered(
	texts: readonly string[],
	questions: readonly string[],
): Promise<readonly string[]> {
	const { id } = await knowledge.createKnowledgeBase({ name: "Few" });
	await knowledge.addDocuments(
		id,
		texts.map((content) => ({ content, format: "text", title: "Note" })),
	);
	await knowledge.waitUntilIdle();
	const answered: string[] = [];
	for (const question of questions) {
		const passages = await knowledge.search({ query: question, knowledge_base_ids: [id] });
		const check = { question, knowledgeBases: [id], passages, minCoverage: MIN_COVERAGE };
		if (await reachesMinCoverage(knowledge, check)) answered.push(question);
	}
	return answered;
}

interface Language {
	/** Ten texts; the questions are about the first. */
	readonly texts: readonly string[];
	readonly answerable: readonly string[];
	/** Most of their words are in none of the texts, others in one or more. */
	readonly unanswerable: readonly string[];
	/** Question of two words, one of which the first text has. */
	readonly halfCovered: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
	English: {
		texts: [
			"A refund takes five working days.",
			"Parcels are collected at noon.",
			"The office opens at nine.",
			"A lost badge costs ten euros.",
			"Lunch is served on the second floor.",
			"Visitors sign in at the desk.",
			"Invoices are paid within thirty days.",
			"The lift is checked every spring.",
			"Passwords expire after a year.",
			"Bicycles are kept in the cellar.",
		],
		answerable: [
			"How long does a refund take?",
			"How many working days does a refund take?",
			"refund",
			"How many days is it until I get my refund?",
		],
		unanswerable: [
			"Who approves a refund of a large sum?",
			"How long does delivery to Norway take?",
			"How many holidays do I have?",
			"Where is the swimming pool?",
		],
		halfCovered: "Who approves a refund?",
	},
	German: {
		texts: [
			"Eine Erstattung dauert fünf Arbeitstage.",
			"Pakete werden um zwölf abgeholt.",
			"Das Büro öffnet um neun.",
			"Ein verlorener Ausweis kostet zehn Euro.",
			"Das Essen gibt es im zweiten Stock.",
			"Besucher melden sich am Empfang.",
			"Rechnungen werden binnen dreißig Tagen bezahlt.",
			"Der Aufzug wird jeden Frühling geprüft.",
			"Passwörter laufen nach einem Jahr ab.",
			"Fahrräder stehen im Keller.",
		],
		answerable: [
			"Wie lange dauert eine Erstattung?",
			"Wie viele Arbeitstage dauert die Erstattung?",
			"Erstattung",
		],
		unanswerable: [
			"Wer genehmigt eine Erstattung hoher Beträge?",
			"Wie lange dauert die Lieferung nach Norwegen?",
			"Wo ist das Schwimmbad?",
		],
		halfCovered: "Wer genehmigt eine Erstattung?",
	},
	Japanese: {
		texts: [
			"返金には五営業日かかります。",
			"荷物は正午に集荷されます。",
			"事務所は九時に開きます。",
			"名札の紛失には千円かかります。",
			"昼食は二階で出されます。",
			"来客は受付で署名します。",
			"請求書は三十日以内に支払われます。",
			"昇降機は毎年春に点検されます。",
			"暗証番号は一年で失効します。",
			"自転車は地下に置きます。",
		],
		answerable: ["返金には何日かかりますか？", "返金には何営業日かかりますか？", "返金"],
		unanswerable: ["高額の返金は誰が承認しますか？", "配達には何日かかりますか？", "水泳場はどこですか？"],
		halfCovered: "返金は誰が承認しますか？",
	},
};

describe.each(Object.entries(LANGUAGES))("%s", (_, { texts, answerable, unanswerable, halfCovered }) => {
	it.each([1, 2, 5, 10])("answers from %i passages what these say, and nothing else", async (count) => {
		const answered = await listAnswered(texts.slice(0, count), [...answerable, ...unanswerable]);
		expect(answered).toEqual(answerable);
	});

	it.each([1, 2])("takes no word that %i passages have for a rare one", async (count) => {
		expect(await listAnswered(texts.slice(0, count), [halfCovered])).toEqual([]);
	});
});

it("finds the passage of a question among few others", async () => {
	expect(
		await listAnswered(LANGUAGES.English?.texts ?? [], [
			"When are invoices paid?",
			"Where are bicycles kept?",
		]),
	).toHaveLength(2);
});

it("answers nothing without passages", async () => {
	expect(await listAnswered([], ["How long does a refund take?"])).toEqual([]);
});
