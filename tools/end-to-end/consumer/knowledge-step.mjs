import { check, checkFails } from "./check.mjs";

/** A knowledge base of its own, from its making to its end, and a search in the one that is there. */
export async function knowledgeStep(context) {
	const { stemma, question, knowledgeBaseId, documentId, fact } = context;
	const { passages, receipt } = await stemma.search({
		query: question,
		knowledge_base_ids: [knowledgeBaseId],
	});
	check(
		passages.some((found) => found.document_id === documentId && found.text.includes(fact)),
		"search: the passage is not found",
		passages.map(({ title }) => title),
	);
	check(receipt.length === 0, "search: it costs", receipt);

	const { knowledge } = stemma;
	const { id } = await knowledge.create({ name: "Canteen" });
	await addDocuments(knowledge, id);
	await replaceDocument(stemma, id);
	const { documents } = await knowledge.get(id);
	check(documents.total === 2 && documents.ready === 2, "the counts of the knowledge base", documents);
	check(
		(await knowledge.list()).data.some((item) => item.id === id),
		"the list of knowledge bases lacks it",
	);
	await knowledge.delete(id);
	await checkFails(knowledge.get(id), "knowledge_base_not_found", "knowledge.get() after its deletion");
}

const MENU = { source: "menu.md", title: "Menu" };

async function addDocuments({ documents }, id) {
	const texts = await documents.addText(id, { ...MENU, text: "# Menu\n\nOn Mondays there is lentil soup." });
	const file = new Blob(["The canteen opens at noon, and closes at two."]);
	const files = await documents.upload(id, { file, name: "hours.txt" });
	const ids = [...texts.data, ...files.data].map((document) => document.id);
	const ready = await documents.waitUntilReady(id, ids, { pollMs: 50 });
	check(
		ready.every(({ passage_count }) => passage_count === 1),
		"passages",
		ready,
	);
}

/** The same source again is the same document with other words. */
async function replaceDocument({ knowledge: { documents }, search }, id) {
	const [before] = (await documents.list(id, { source: MENU.source })).data;
	const again = await documents.addText(id, { ...MENU, text: "# Menu\n\nOn Mondays there is pumpkin stew." });
	await documents.waitUntilReady(id, again, { pollMs: 50 });
	check(again.data[0].id === before.id, "a replaced document has another id", [before, again]);
	const find = async (query) =>
		(await search({ query, knowledge_base_ids: [id] })).passages.map(({ text }) => text);
	check(String(await find("pumpkin stew")).includes("pumpkin stew"), "search: the new words are not found");
	check(!String(await find("lentil soup")).includes("lentil"), "search: the old words are found");
}
