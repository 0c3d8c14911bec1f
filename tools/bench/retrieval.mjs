// How good search is: nDCG@10 on public collections, over HTTP, beside MiniSearch. STEMMA_DATA names their folder.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toTable } from "./engine/table.mjs";
import { createKnowledgeBase, search, waitUntilIngested } from "./service/knowledge.mjs";
import { meanNdcg } from "./service/ndcg.mjs";
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
		.slice(0, MAX_QUERIES)
		.map(({ _id, text }) => ({ text, relevant: relevant.get(_id) }));
	return { name, target, queries, documents: read("corpus.jsonl").map((line) => JSON.parse(line)) };
}

async function measureService(service, { name, queries, documents }) {
	const base = await createKnowledgeBase(service, name);
	for (const { _id, title, text } of documents) {
		// A document without text (there is one) holds its title.
		const body = { source: _id, title: title || _id, text: text.trim() || title || _id, format: "text" };
		await service.send("POST", `/v1/knowledge-bases/${base}/documents`, body);
	}
	await waitUntilIngested(service, [base]);
	return meanNdcg(queries, MAX_DEPTH, async ({ text }) =>
		(await search(service, text, [base], TOP_K)).map(({ source }) => source),
	);
}

const fromCli = createRequire(new URL("../../packages/cli/package.json", import.meta.url));
const { default: MiniSearch } = await import(fromCli.resolve("minisearch"));

function measureMiniSearch({ queries, documents }) {
	const index = new MiniSearch({ fields: ["title", "text"], idField: "_id" });
	index.addAll(documents);
	return meanNdcg(queries, MAX_DEPTH, async ({ text }) => index.search(text).map(({ id }) => id));
}

async function measureAll(dataFolder, serviceFolder) {
	const service = await startService(serviceFolder);
	const rows = [];
	for (const description of COLLECTIONS) {
		const collection = readCollection(dataFolder, description);
		const own = await measureService(service, collection);
		const peer = await measureMiniSearch(collection);
		const { name, target, queries, documents } = collection;
		const verdict =
			target === undefined ? ["", ""] : [`at least ${target}`, own >= target ? "met" : "missed"];
		rows.push([
			name,
			`${documents.length}`,
			`${queries.length}`,
			own.toFixed(3),
			...verdict,
			peer.toFixed(3),
		]);
	}
	await service.stop();
	return rows;
}

const dataFolder = process.env.STEMMA_DATA;
if (dataFolder === undefined) {
	console.log("Skipped: set STEMMA_DATA to a folder with the collections (cranfield, product-docs, …).");
} else {
	const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
	try {
		const rows = await measureAll(dataFolder, folder);
		const headings = ["collection", "documents", "queries", "nDCG@10", "target", "", "MiniSearch"];
		console.log(`Documents ranked by their best passage.\n\n${toTable(headings, rows)}\n`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
