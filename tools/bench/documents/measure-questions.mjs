import { createKnowledgeBase, search } from "../service/knowledge.mjs";

const TOP = [1, 3, 8];
const TEXT_TYPES = new Set(["md", "html", "txt"]);
const POLL_MS = 50;

/** Uploads all files of a folder, one at a time: those of unknown formats are refused by themselves. */
export async function uploadAll(service, base, files) {
	const refused = [];
	for (const { name, bytes } of files) {
		const form = new FormData();
		form.append("file", new Blob([bytes]), name.slice(name.lastIndexOf("/") + 1));
		form.append("source", name);
		await service
			.send("POST", `/v1/knowledge-bases/${base}/documents`, form)
			.catch((error) => refused.push(`${name}: ${error.message.slice(0, 200)}`));
	}
	return refused;
}

/** Waits until no file is queued or being read. @returns the numbers of documents. */
export async function waitUntilRead(service, base) {
	for (;;) {
		const { documents } = await service.send("GET", `/v1/knowledge-bases/${base}`);
		if (documents.queued + documents.processing === 0) return documents;
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

async function listFailed(service, base) {
	const { data } = await service.send("GET", `/v1/knowledge-bases/${base}/documents?status=failed&limit=100`);
	return data.map(({ source, error }) => `${source}: ${error.code}: ${error.message}`);
}

const normalize = (text) => text.normalize("NFKC").replace(/\s+/gu, " ").toLowerCase();

/**
 * Number of passages, from the best on, that it takes for an accepted answer, or for all of them where all are needed; too
 * few: infinity.
 */
function findRank(passages, { answers, all_needed = false }) {
	const texts = passages.map(({ text }) => normalize(text));
	const ranks = answers.map((answer) => {
		const index = texts.findIndex((text) => text.includes(normalize(answer)));
		return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
	});
	return all_needed ? Math.max(...ranks) : Math.min(...ranks);
}

/** For each kind of file: number of questions, and of those with an accepted answer in the top passages. */
export async function measureQuestions(service, files, questions) {
	const base = await createKnowledgeBase(service, "folder");
	const refused = await uploadAll(service, base, files);
	const documents = await waitUntilRead(service, base);
	const rows = new Map();
	const missed = [];
	for (const asked of questions) {
		const { question, answers, type, file } = asked;
		if (answers.length === 0) continue;
		const rank = findRank(await search(service, question, [base], Math.max(...TOP)), asked);
		const group = TEXT_TYPES.has(type) ? "Markdown, HTML, text" : "others";
		for (const name of [group, type]) {
			const row = rows.get(name) ?? { questions: 0, found: TOP.map(() => 0) };
			row.questions += 1;
			TOP.forEach((top, index) => {
				row.found[index] += rank <= top ? 1 : 0;
			});
			rows.set(name, row);
		}
		if (rank > 3) missed.push(`${file} (${rank}): ${question}`);
	}
	return { documents, refused, failed: await listFailed(service, base), rows, missed };
}
