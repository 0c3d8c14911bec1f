import { readFileSync } from "node:fs";
import { toTable } from "../engine/table.mjs";
import { search } from "../service/knowledge.mjs";
import { loadDocuments } from "./measure-set.mjs";

const CASES = new URL(
	"../../../packages/service/src/store/sqlite/knowledge/search/language-cases.json",
	import.meta.url,
);

/** For each language: cases of a few short documents, and how many queries have the expected one first. */
export async function measureLanguageCases(service) {
	const rows = [];
	const failures = [];
	for (const { language, cases } of JSON.parse(readFileSync(CASES, "utf8"))) {
		let found = 0;
		for (const { name, documents, query, first } of cases) {
			const loaded = documents.map((text, index) => ({ _id: `${index}`, title: `${index}`, text }));
			const base = await loadDocuments(service, `${language}: ${name}`.slice(0, 200), loaded);
			const [best] = await search(service, query, [base]);
			if (best?.source === `${first}`) found += 1;
			else failures.push(`- ${language}, ${name}: "${query}" found ${best?.text ?? "nothing"}`);
		}
		rows.push([language, `${cases.length}`, `${found}`]);
	}
	return { table: toTable(["language", "cases", "found first"], rows), failures };
}
