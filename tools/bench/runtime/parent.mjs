import { readHeap } from "../engine/read-heap.mjs";

/**
 * Tells whoever started this process the address of a server in it, and then what it asks: the processor's time so far,
 * in microseconds; the heap after a collection, in bytes. Other questions are for the server.
 */
export function serveParent(url, questions = {}) {
	const answers = { cpu: readCpu, heap: readHeap, ...questions };
	process.on("message", async (message) => process.send({ answer: await answers[message]() }));
	// A benchmark that failed stops nothing.
	process.on("disconnect", () => process.exit(0));
	process.send({ url });
}

function readCpu() {
	const { user, system } = process.cpuUsage();
	return user + system;
}
