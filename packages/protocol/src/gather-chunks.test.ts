import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { gatherChunks } from "./gather-chunks";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

/** Sends the body in one piece, and hands the request to the reader. */
async function send<Result>(
	body: string,
	read: (message: IncomingMessage) => Promise<Result>,
): Promise<Result> {
	const reading = Promise.withResolvers<Result>();
	const server = createServer((message, response) => {
		gatherChunks(message);
		reading.resolve(read(message).finally(() => response.end()));
	}).listen(0, "127.0.0.1");
	servers.push(server);
	await once(server, "listening");
	const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
	socket.on("error", reading.reject);
	socket.write(`POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n${body}`);
	return reading.promise.finally(() => socket.destroy());
}

const toChunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const END = "0\r\n\r\n";

test("tiny chunks that came at once are read together, in order", async () => {
	const text = Array.from({ length: 5000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
	const pieces = await send([...text].map(toChunk).join("") + END, async (message) => {
		const read: Buffer[] = [];
		for await (const piece of message) read.push(piece as Buffer);
		return read;
	});
	expect(Buffer.concat(pieces).toString()).toBe(text);
	expect(pieces.length).toBeLessThan(50);
});

test("a body that is larger than the reader's buffer comes whole, also to a slow reader", async () => {
	const text = "0123456789".repeat(100_000);
	const chunks = Array.from({ length: 100 }, (_, index) =>
		toChunk(text.slice(index * 10_000, (index + 1) * 10_000)),
	);
	const read = await send(chunks.join("") + END, async (message) => {
		const pieces: Buffer[] = [];
		for await (const piece of message) {
			pieces.push(piece as Buffer);
			await new Promise((resolve) => setImmediate(resolve));
		}
		return Buffer.concat(pieces).toString();
	});
	expect(read === text).toBe(true);
});

test("a body without chunks is empty, and what came before a broken chunk is read", async () => {
	await expect(send(END, buffer)).resolves.toHaveLength(0);
	const read: string[] = [];
	const broken = send(`${toChunk("first")}${toChunk("second")}nonsense\r\n`, async (message) => {
		for await (const piece of message) read.push(String(piece));
	});
	await expect(broken).rejects.toThrow();
	expect(read.join("")).toMatch(/^(firstsecond)?$/);
});
