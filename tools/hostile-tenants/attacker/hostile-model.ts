import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Fields } from "./hostile.ts";
import type { ModelScript } from "./model-scripts.ts";

/** Texts of models that answer in one piece. */
const TEXTS: Partial<Record<ModelScript, () => string>> = {
	letters: () => JSON.stringify(`${"a".repeat(34)}!`),
	"letters-as-key": () => JSON.stringify({ [`${"a".repeat(34)}!`]: "a" }),
	"unique-list": () =>
		JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ a: [index % 7, index] }))),
	"deep-json": () => "[".repeat(100_000) + "]".repeat(100_000),
	brackets: () => "[1]".repeat(200_000),
	hello: () => "Hello.",
};

const MEBIBYTE = 2 ** 20;

/** Serves `POST …/chat/completions` and `…/embeddings`, as badly as the name of the model says. */
export async function serveModel(body: Fields, path: string, response: ServerResponse): Promise<void> {
	const script = String(body.model) as ModelScript;
	if (path.endsWith("/embeddings")) return sendVectors(body, response);
	const isStream = body.stream === true;
	const text = TEXTS[script];
	if (text !== undefined) return sendText(response, isStream, [text()]);
	const behave = BEHAVIOURS[script] ?? BEHAVIOURS.garbage;
	await behave?.(response, body);
}

type Behaviour = (response: ServerResponse, body: Fields) => Promise<void> | void;

const BEHAVIOURS: Partial<Record<ModelScript, Behaviour>> = {
	// A reducer that looks at its whole text for each piece is quadratic here.
	backticks: (response, body) =>
		sendText(
			response,
			body.stream === true,
			Array.from({ length: 60_000 }, () => "`".repeat(16)),
		),
	deltas: (response, body) =>
		sendText(
			response,
			body.stream === true,
			Array.from({ length: 100_000 }, () => "[1"),
		),
	hang: () => undefined,
	async drip(response) {
		startStream(response);
		while (!response.destroyed) {
			response.write(toChunk({ content: "x" }));
			await wait(250);
		}
	},
	async huge(response, body) {
		if (body.stream === true) return sendEndlessly(response, "x".repeat(MEBIBYTE), 64);
		response.writeHead(200, { "content-type": "application/json" });
		response.write('{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"');
		for (let sent = 0; sent < 64 && !response.destroyed; sent++) await write(response, "x".repeat(MEBIBYTE));
		response.end('"}}]}');
	},
	endless: (response) => sendEndlessly(response, "word ".repeat(200), Number.POSITIVE_INFINITY),
	redirect: (response) => void response.writeHead(307, { location: "http://169.254.169.254/latest" }).end(),
	"gzip-bomb": (response) => {
		response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
		response.end(GZIP_BOMB);
	},
	"broken-stream": async (response) => {
		startStream(response);
		response.write(toChunk({ content: "Half" }));
		await wait(20);
		response.destroy();
	},
	garbage: (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
	"call-tools": (response, body) => sendCalls(response, body, 1, "{}"),
	"call-many-tools": (response, body) => sendCalls(response, body, 500, '{"input": "again"}'),
	"deep-arguments": (response, body) =>
		sendCalls(response, body, 1, `{"input": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`),
	"error-500": (response) => void response.writeHead(500).end("x".repeat(MEBIBYTE)),
	"rate-limited": (response) => void response.writeHead(429, { "retry-after": "86400" }).end("{}"),
};

const GZIP_BOMB = gzipSync(Buffer.alloc(256 * MEBIBYTE, " "));

async function sendText(
	response: ServerResponse,
	isStream: boolean,
	pieces: readonly string[],
): Promise<void> {
	if (!isStream) {
		const message = { role: "assistant", content: pieces.join("") };
		return sendJson(response, { choices: [{ index: 0, message, finish_reason: "stop" }] });
	}
	startStream(response);
	for (let index = 0; index < pieces.length && !response.destroyed; index += 500)
		await write(
			response,
			pieces
				.slice(index, index + 500)
				.map((content) => toChunk({ content }))
				.join(""),
		);
	response.end(`${toChunk({}, "stop")}data: [DONE]\n\n`);
}

async function sendEndlessly(response: ServerResponse, content: string, max: number): Promise<void> {
	startStream(response);
	for (let sent = 0; sent < max && !response.destroyed; sent++) {
		await write(response, toChunk({ content }));
		// As fast as a vendor may be, not as fast as this machine.
		await wait(5);
	}
	response.end("data: [DONE]\n\n");
}

/** Calls of the tools that the request offers, in turn; a last word where it offers none. */
function sendCalls(
	response: ServerResponse,
	{ tools, stream }: Fields,
	count: number,
	args: string,
): Promise<void> {
	const names = (Array.isArray(tools) ? (tools as { function: { name: string } }[]) : []).map(
		(tool) => tool.function.name,
	);
	if (names.length === 0) return sendText(response, stream === true, ["Done."]);
	const calls = Array.from({ length: count }, (_, index) => ({
		index,
		id: `call_${index}`,
		type: "function",
		function: { name: names[index % names.length], arguments: args },
	}));
	if (stream !== true) {
		const message = { role: "assistant", content: null, tool_calls: calls };
		return sendJson(response, { choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
	}
	startStream(response);
	response.end(`${toChunk({ tool_calls: calls })}${toChunk({}, "tool_calls")}data: [DONE]\n\n`);
	return Promise.resolve();
}

function sendVectors({ input }: Fields, response: ServerResponse): Promise<void> {
	const count = Array.isArray(input) ? input.length : 1;
	const data = Array.from({ length: count }, (_, index) => ({
		index,
		embedding: Array(index % 5).fill(1e300),
	}));
	return sendJson(response, { object: "list", data, usage: { prompt_tokens: -1, total_tokens: 1e300 } });
}

function sendJson(response: ServerResponse, json: object): Promise<void> {
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
	return Promise.resolve();
}

function startStream(response: ServerResponse): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
}

function toChunk(delta: object, finish_reason: string | null = null): string {
	const choices = [{ index: 0, delta, finish_reason }];
	return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices })}\n\n`;
}

function write(response: ServerResponse, text: string): Promise<void> {
	if (response.write(text)) return Promise.resolve();
	return new Promise((resolve) => {
		response.once("drain", resolve);
		response.once("close", resolve);
	});
}

/** Body of a request as a JSON object; empty where it is none. */
export async function readRequest(request: IncomingMessage): Promise<Fields> {
	let text = "";
	for await (const chunk of request) text += chunk;
	try {
		return JSON.parse(text) as Fields;
	} catch {
		return {};
	}
}
