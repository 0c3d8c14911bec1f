// How good search is: nDCG@10 on public collections and on sets of the repository, with and without a typo, over HTTP, beside MiniSearch. STEMMA_DATA names the folder of the public ones. [--quick] [--half choose|report] [--sets a,b] [--settings JSON] [--embedded] [--postgres] [--verbose]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addTypo } from "./answers/add-typo.mjs";
import { chooseHalf, chooseSample } from "./answers/fixed-choice.mjs";
import { measureLanguageCases } from "./answers/language-cases.mjs";
import { loadDocuments } from "./answers/measure-set.mjs";
import { readOptions } from "./answers/options.mjs";
import { readSets } from "./answers/read-sets.mjs";
import { toTable } from "./engine/table.mjs";
import { startPostgres } from "./scale/postgres.mjs";
import { search } from "./service/knowledge.mjs";
import { meanNdcg, ndcg } from "./service/ndcg.mjs";
import { startService } from "./service/start-service.mjs";

/** Collections in the format of BEIR; targets are for those that everyone measures on. */
const COLLECTIONS = [
	{ name: "cranfield", relevanceFile: "qrels_with_source.tsv", target: 0.5 },
	{ name: "product-docs", target: 0.69 },
	{ name: "xquad-en" },
	{ name: "xquad-de" },
	{ name: "jsquad-valid" },
];
const MAX_QUERIES = 400;
const MAX_DEPTH = 10;
/** Passages asked for: a document counts once, with its best. */
const TOP_K = 50;

const options = readOptions();
const isWanted = ({ name }) => options.setNames === undefined || options.setNames.includes(name);
const choose = (queries) =>
	chooseSample(chooseHalf(queries, options.half).slice(0, MAX_QUERIES), options.maxQuestions);

const readLines = (file) => readFileSync(file, "utf8").trim().split("\n");

function readCollection(folder, { name, relevanceFile = "qrels.tsv", target }) {
	const read = (file) => readLines(join(folder, name, file));
	const relevant = new Map();
	for (const line of read(relevanceFile).slice(1)) {
		const [query, document, score] = line.split("\t");
		if (Number(score) > 0) relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
	}
	const queries = read("queries.jsonl")
		.map((line) => JSON.parse(line))
		.filter(({ _id }) => relevant.has(_id))
		.map(({ _id, text }) => ({ id: _id, text, relevant: relevant.get(_id) }));
	return {
		name,
		target,
		queries: choose(queries),
		documents: read("corpus.jsonl").map((line) => JSON.parse(line)),
	};
}

/** Sets of questions of the repository, as collections. */
const toCollection = ({ name, documents, questions }) => ({
	name,
	documents,
	queries: choose(
		questions.map(({ id, question, history, doc_id, doc_ids = [doc_id] }) => ({
			id,
			text: question,
			history,
			relevant: new Set(doc_ids),
		})),
	),
});

function readCollections() {
	const dataFolder = process.env.STEMMA_DATA;
	const own = readSets({ isOwnOnly: true }).map(toCollection);
	if (dataFolder === undefined) return own.filter(isWanted);
	const described = COLLECTIONS.filter(isWanted);
	return [...described.map((one) => readCollection(dataFolder, one)), ...own.filter(isWanted)];
}

const toSources = (passages) => passages.map(({ source }) => source);

/** Passages that a question with its history is answered from. */
async function findWithHistory(service, base, { text, history }) {
	const body = { question: text, history, knowledge_base_ids: [base], top_k: TOP_K };
	return (await service.send("POST", "/v1/ask", body)).passages;
}

/** nDCG of each query. */
async function measureEach(queries, find) {
	const scores = [];
	for (const query of queries) scores.push(ndcg(await find(query), query.relevant, MAX_DEPTH));
	return scores;
}

const mean = (scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length;

/** The same questions with and without a typo; nothing where most of them have no word to misspell. */
async function measureTypos(queries, scores, find) {
	const misspelt = queries
		.map((query, index) => ({ ...query, text: addTypo(query.text), score: scores[index] }))
		.filter(({ text }) => text !== undefined);
	if (misspelt.length <= queries.length / 2) return {};
	const typo = mean(await measureEach(misspelt, find));
	return { typo, lost: mean(misspelt.map(({ score }) => score)) - typo };
}

async function measureService(service, { name, queries, documents }) {
	const base = await loadDocuments(service, name, documents);
	const find = async ({ text }) => toSources(await search(service, text, [base], TOP_K));
	const scores = await measureEach(queries, find);
	const hasHistory = queries.every(({ history }) => history !== undefined);
	const findInConversation = async (query) => toSources(await findWithHistory(service, base, query));
	return {
		alone: mean(scores),
		...(hasHistory && { withHistory: mean(await measureEach(queries, findInConversation)) }),
		...(await measureTypos(queries, scores, find)),
	};
}

const fromCli = createRequire(new URL("../../packages/cli/package.json", import.meta.url));
const { default: MiniSearch } = await import(fromCli.resolve("minisearch"));

function measureMiniSearch({ queries, documents }) {
	const index = new MiniSearch({ fields: ["title", "text"], idField: "_id" });
	index.addAll(documents);
	return meanNdcg(queries, MAX_DEPTH, async ({ text }) => index.search(text).map(({ id }) => id));
}

const figure = (value) => (value === undefined ? "" : value.toFixed(3));

function toRow({ name, target, queries, documents }, own, peer) {
	const { alone, withHistory = alone, typo, lost } = own;
	return [
		name,
		`${documents.length}`,
		`${queries.length}`,
		figure(withHistory),
		...(target === undefined ? ["", ""] : [`at least ${target}`, alone >= target ? "met" : "missed"]),
		own.withHistory === undefined ? "" : figure(alone),
		figure(typo),
		figure(lost),
		figure(peer),
	];
}

const HEADINGS = [
	"collection",
	"documents",
	"queries",
	"nDCG@10",
	"target",
	"verdict",
	"without history",
	"one typo",
	"lost by it",
	"MiniSearch",
];

async function measureAll(service) {
	const rows = [];
	for (const collection of readCollections())
		rows.push(
			toRow(collection, await measureService(service, collection), await measureMiniSearch(collection)),
		);
	return rows;
}

if (process.env.STEMMA_DATA === undefined)
	console.log(
		"Set STEMMA_DATA to a folder with the public collections (cranfield, product-docs, …) for more.\n",
	);
const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
const postgres = options.postgres ? await startPostgres() : undefined;
try {
	const database = await postgres?.createDatabase("retrieval");
	const service = await startService(folder, { ...options.settings, ...(database && { database }) });
	const rows = await measureAll(service);
	const cases = await measureLanguageCases(service);
	await service.stop();
	console.log(`Documents ranked by their best passage.\n\n${toTable(HEADINGS, rows)}\n`);
	console.log(`Cases by language, with the expected document first:\n\n${cases.table}\n`);
	if (options.verbose) console.log(`${cases.failures.join("\n")}\n`);
} finally {
	await postgres?.stop();
	rmSync(folder, { recursive: true, force: true });
}
