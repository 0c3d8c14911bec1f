// A vendor's stand-in in a process of its own: answers chat completions and embeddings at once, and does next to nothing
// with what it is sent. A model `chunks-<n>` streams so many chunks at once, `chunks-<n>-every-<ms>` one after another.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { createEmbedder } from "./embedder.mjs";

const embed = createEmbedder();
const USAGE = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };
/** The bodies of the last requests for completions. */
let seen = [];

const toCompletion = (model, content) => ({
	id: "chatcmpl-1",
	object: "chat.completion",
	created: 1_700_000_000,
	model,
	choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
	usage: USAGE,
});

/** Says of all passages that they answer, where it is to judge some. */
function toAnswer(messages) {
	if (!messages[0].content.startsWith("You judge")) return "It is so [1].";
	const passages = messages.at(-1).content.match(/^\{"id":\d+/gm) ?? [];
	return JSON.stringify({ scores: passages.map((_, index) => ({ id: index + 1, score: 4 })) });
}

/** One chunk, or as many as the model's name says. */
function toStream(model, answer) {
	const toEvent = (choices, usage = null) =>
		`data: ${JSON.stringify({ ...toCompletion(model), object: "chat.completion.chunk", choices, usage })}\n\n`;
	const [, count = 1] = /^chunks-(\d+)/.exec(model) ?? [];
	const delta = toEvent([{ index: 0, delta: { content: answer }, finish_reason: null }]);
	const end = toEvent([{ index: 0, delta: {}, finish_reason: "stop" }]);
	return [...Array.from({ length: Number(count) }, () => delta), end, toEvent([], USAGE), "data: [DONE]\n\n"];
}

async function complete(response, body) {
	const { model, messages, stream } = JSON.parse(body);
	seen = [...seen, body].slice(-2);
	const answer = toAnswer(messages);
	if (!stream) return sendJson(response, toCompletion(model, answer));
	response.writeHead(200, { "content-type": "text/event-stream" });
	const [, pauseMs] = /-every-(\d+)$/.exec(model) ?? [];
	for (const chunk of toStream(model, answer)) {
		response.write(chunk);
		if (pauseMs !== undefined) await wait(Number(pauseMs));
	}
	response.end();
}

function sendJson(response, value) {
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
	const body = await text(request);
	if (request.url === "/v1/chat/completions") await complete(response, body);
	else if (request.url === "/v1/embeddings") sendJson(response, embed(JSON.parse(body)));
	else sendJson(response, { seen });
});
server.listen(0, "127.0.0.1", () => {
	process.send({ baseUrl: `http://127.0.0.1:${server.address().port}/v1` });
});
process.on("disconnect", () => process.exit(0));
