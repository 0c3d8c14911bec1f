import { createKnowledgeBase } from "../service/knowledge.mjs";
import { uploadAll, waitUntilRead } from "./measure-questions.mjs";

/** How late the timers of a service are, and how long its thread is busy without a pause, while it reads files: in milliseconds. */
export async function measureEventLoop(service, files) {
	// The first document loads what is loaded once.
	const warm = await createKnowledgeBase(service, "warm");
	await uploadAll(service, warm, [{ name: "first.md", bytes: Buffer.from("# First\n\nA document.\n") }]);
	await waitUntilRead(service, warm);
	const base = await createKnowledgeBase(service, "event loop");
	service.watchEventLoop();
	await uploadAll(service, base, files);
	await waitUntilRead(service, base);
	return service.eventLoop();
}
