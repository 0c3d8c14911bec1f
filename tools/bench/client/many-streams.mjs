// `node --expose-gc many-streams.mjs <client> <port> <streams>`: opens streams, reads two events of each, and tells the heap.
import { agents, createClient } from "../../../packages/client/dist/index.js";
import { readHeap } from "../engine/read-heap.mjs";

const [client, port, count] = process.argv.slice(2);
const baseUrl = `http://127.0.0.1:${port}`;

const OPENERS = {
	fetch: () => async () => {
		const response = await fetch(`${baseUrl}/v1/agents/desk/run`, {
			method: "POST",
			headers: { accept: "text/event-stream", "content-type": "application/json" },
			body: '{"input":"A question."}',
		});
		const reader = response.body.getReader();
		await reader.read();
		return { reader, next: reader.read() };
	},
	Stemma: () => {
		const { stream } = agents(createClient({ baseUrl, clientKey: "ck_nobody_secret" }));
		return async () => {
			const run = stream("desk", { input: "A question." });
			const events = run[Symbol.asyncIterator]();
			await events.next();
			await events.next();
			return { run, next: events.next() };
		};
	},
	openai: async () => {
		const { default: OpenAI } = await import("openai");
		const openai = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: "a-secret-of-nobody", maxRetries: 0 });
		const request = { model: "default", messages: [], stream: true };
		return async () => {
			const events = (await openai.chat.completions.create(request))[Symbol.asyncIterator]();
			await events.next();
			await events.next();
			return { events, next: events.next() };
		};
	},
};

const open = await OPENERS[client]();
// What the first ones load and compile is not theirs.
globalThis.kept = await Promise.all(Array.from({ length: 20 }, open));
const before = await readHeap();
globalThis.more = await Promise.all(Array.from({ length: Number(count) }, open));
process.send({ bytes: (await readHeap()) - before });
setTimeout(() => process.exit(0), 10);
