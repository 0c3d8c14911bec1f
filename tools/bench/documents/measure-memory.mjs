import { createKnowledgeBase } from "../service/knowledge.mjs";

const INTERVAL_MS = 50;

/** Highest memory, in MiB, of a service and the processes that it has started, while it reads many files of all formats. */
export async function measureMemory(service, files, count) {
	const base = await createKnowledgeBase(service, "mixed");
	let highest = 0;
	let alone = 0;
	const timer = setInterval(async () => {
		highest = Math.max(highest, service.memoryWithChildren());
		alone = Math.max(alone, await service.memory());
	}, INTERVAL_MS);
	for (let index = 0; index < count; index++) {
		const { name, bytes } = files[index % files.length];
		const form = new FormData();
		form.append("file", new Blob([bytes]), name.slice(name.lastIndexOf("/") + 1));
		form.append("source", `${Math.floor(index / files.length)}/${name}`);
		await service.send("POST", `/v1/knowledge-bases/${base}/documents`, form).catch(() => undefined);
	}
	for (;;) {
		const { documents } = await service.send("GET", `/v1/knowledge-bases/${base}`);
		if (documents.queued + documents.processing === 0) break;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	clearInterval(timer);
	return { highest, alone };
}
