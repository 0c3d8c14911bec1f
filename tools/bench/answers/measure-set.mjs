import { createKnowledgeBase, waitUntilIngested } from "../service/knowledge.mjs";
import { chooseHalf, chooseSample, splitDocuments } from "./fixed-choice.mjs";
import { hasExpected } from "./match-answer.mjs";
import { isVerbatim, readQuotes } from "./quotations.mjs";

const CONCURRENT_QUESTIONS = 2;
/** Smaller sets are asked twice: while one half of their documents is loaded, and while the other is. */
const MIN_LARGE_QUESTIONS = 200;

/** Uploads documents of a set as plain text, and waits until they are read. */
export async function loadDocuments(service, name, documents) {
	const base = await createKnowledgeBase(service, name);
	for (const { _id, title, text } of documents) {
		// A document without text (there is one) holds its title.
		const body = { source: _id, title: title || _id, text: text.trim() || title || _id, format: "text" };
		await service.send("POST", `/v1/knowledge-bases/${base}/documents`, body);
	}
	await waitUntilIngested(service, [base]);
	return base;
}

/** Share of the best possible that the answer tells, or else the score of its best passage. */
const readScore = ({ score, passages }) => score ?? passages[0]?.score ?? 0;

function judge(asked, answer, documentTexts) {
	const documentIds = asked.doc_ids ?? [asked.doc_id];
	const loaded = documentIds.filter((id) => documentTexts.has(id));
	const document = loaded.map((id) => documentTexts.get(id)).join("\n");
	const quotes = readQuotes(answer);
	const holds = (texts) => hasExpected(texts.join("\n"), asked, document);
	const texts = quotes.map(({ text }) => text);
	return {
		asked,
		answer,
		isAnswerable: loaded.length > 0,
		isRefused: answer.refused !== undefined,
		quotes: texts.length,
		characters: texts.join("").length,
		isQuoted: loaded.length > 0 && holds(texts),
		isFirst: loaded.length > 0 && holds(texts.slice(0, 1)),
		isFound: loaded.length > 0 && holds(answer.passages.map(({ text }) => text)),
		changed: quotes.filter((quote) => !isVerbatim(quote)).length,
		score: readScore(answer),
	};
}

async function askAll(service, name, loaded, questions) {
	const base = await loadDocuments(service, name, loaded);
	const documentTexts = new Map(loaded.map(({ _id, title, text }) => [_id, `${title}\n${text}`]));
	const waiting = [...questions];
	const outcomes = [];
	const ask = async () => {
		for (let asked = waiting.shift(); asked !== undefined; asked = waiting.shift()) {
			const { question, history } = asked;
			const body = { question, knowledge_base_ids: [base], ...(history !== undefined && { history }) };
			outcomes.push(judge(asked, await service.send("POST", "/v1/ask", body), documentTexts));
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT_QUESTIONS }, ask));
	return outcomes;
}

/**
 * Asks the questions of a set of half of its documents, and where the set is small, of the other half as well; an outcome
 * for each.
 */
export async function measureSet(service, { name, documents, questions }, { half, maxQuestions }) {
	const chosen = chooseSample(chooseHalf(questions, half), maxQuestions);
	const halves = splitDocuments(documents);
	const isSmall = questions.length < MIN_LARGE_QUESTIONS;
	const outcomes = [];
	for (const [index, loaded] of (isSmall ? halves : halves.slice(0, 1)).entries())
		outcomes.push(...(await askAll(service, `${name} ${index}`, loaded, chosen)));
	return outcomes;
}
