const FILES_A_REQUEST = 20;
const CONCURRENT_REQUESTS = 2;

export const createKnowledgeBase = async (service, name) =>
	(await service.send("POST", "/v1/knowledge-bases", { name })).id;

/** Uploads files (`{name, text, source?, title?}`) and waits until all of them are read. */
export async function ingest(service, files) {
	await upload(service, files);
	await waitUntilIngested(service, [...new Set(files.map(({ knowledgeBase }) => knowledgeBase))]);
}

async function upload(service, files) {
	const requests = [];
	for (const [knowledgeBase, own] of Map.groupBy(files, (file) => file.knowledgeBase))
		for (let from = 0; from < own.length; from += FILES_A_REQUEST)
			requests.push({ knowledgeBase, files: own.slice(from, from + FILES_A_REQUEST) });
	const workers = Array.from({ length: CONCURRENT_REQUESTS }, async () => {
		for (let next = requests.shift(); next !== undefined; next = requests.shift())
			await service.send("POST", `/v1/knowledge-bases/${next.knowledgeBase}/documents`, toForm(next.files));
	});
	await Promise.all(workers);
}

function toForm(files) {
	const form = new FormData();
	for (const { name, text, source } of files) {
		form.append("file", new Blob([text]), name);
		if (source !== undefined) form.append("source", source);
	}
	return form;
}

export async function waitUntilIngested(service, knowledgeBases) {
	for (const id of knowledgeBases)
		for (;;) {
			const { documents } = await service.send("GET", `/v1/knowledge-bases/${id}`);
			if (documents.failed > 0) throw new Error(`${documents.failed} documents of ${id} have failed.`);
			if (documents.ready === documents.total) break;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
}

export const search = async (service, query, knowledgeBases, topK = 8) =>
	(await service.send("POST", "/v1/search", { query, knowledge_base_ids: knowledgeBases, top_k: topK }))
		.passages;
