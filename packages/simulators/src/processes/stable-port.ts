import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";

const MIN_PORT = 10_000;
/** Systems give the ports from here on to whoever asks for any; some begin lower, and say so. */
const MAX_PORT = 32_768;
const RANGE_FILE = "/proc/sys/net/ipv4/ip_local_port_range";

/**
 * Free port that the system gives to nobody who asks for any: while the server of a test is stopped, no other takes its
 * port by chance, so that nobody answers there, and the server can come back.
 */
export async function findStablePort(): Promise<number> {
	const range = await readFile(RANGE_FILE, "utf8").catch(() => "");
	const first = Number.parseInt(range, 10);
	const end = first > MIN_PORT && first < MAX_PORT ? first : MAX_PORT;
	let port = randomInt(MIN_PORT, end);
	while (!(await isFree(port))) port = randomInt(MIN_PORT, end);
	return port;
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, "127.0.0.1");
	try {
		await once(server, "listening");
	} catch {
		return false;
	}
	server.close();
	await once(server, "close");
	return true;
}
