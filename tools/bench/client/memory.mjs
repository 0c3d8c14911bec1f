import { fork } from "node:child_process";
import { once } from "node:events";

const file = (name) => new URL(name, import.meta.url);

/** @returns by client the bytes of heap that each of so many open streams takes; the median of some processes. */
export async function measureMemory(streams, rounds) {
	const server = fork(file("stream-server.mjs"), { execArgv: [] });
	try {
		const [port] = await once(server, "message");
		const rows = [];
		for (const client of ["fetch", "Stemma", "openai"]) {
			const numbers = [];
			for (let round = 0; round < rounds; round++) numbers.push(await measureOne(client, port, streams));
			rows.push({ client, bytes: numbers.toSorted((a, b) => a - b)[numbers.length >> 1] / streams });
		}
		return rows;
	} finally {
		server.disconnect();
	}
}

async function measureOne(client, port, streams) {
	const child = fork(file("many-streams.mjs"), [client, port, streams], { execArgv: ["--expose-gc"] });
	const [{ bytes }] = await once(child, "message");
	await once(child, "exit");
	return bytes;
}
