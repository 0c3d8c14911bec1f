import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const WORDS = [
	"Refunds ",
	"take ",
	"five ",
	"working ",
	"days ",
	"[1], ",
	"as ",
	"the ",
	"**handbook** ",
	"says. ",
];
/** Chunks that are sent together: timers are not precise enough for one each. */
const CHUNKS_A_TICK = 2;

const toEvent = (delta, finish_reason = null) =>
	`data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "chunks", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A vendor's stand-in whose answers come in so many chunks, so many of them a second. */
export async function startChunkVendor({ chunks, chunksPerSecond }) {
	const server = createServer(async (request, response) => {
		const { stream } = JSON.parse(await text(request));
		if (!stream) {
			const message = { role: "assistant", content: "Refunds" };
			const choices = [{ index: 0, message, finish_reason: "stop" }];
			response.writeHead(200, { "content-type": "application/json" });
			response.end(
				JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "chunks", choices }),
			);
			return;
		}
		response.writeHead(200, { "content-type": "text/event-stream" });
		const startedAt = performance.now();
		let sent = 0;
		const timer = setInterval(
			() => {
				const due = Math.min(chunks, Math.ceil(((performance.now() - startedAt) / 1_000) * chunksPerSecond));
				for (; sent < due; sent += 1) response.write(toEvent({ content: WORDS[sent % WORDS.length] }));
				if (sent < chunks) return;
				clearInterval(timer);
				response.end(`${toEvent({}, "stop")}data: [DONE]\n\n`);
			},
			(CHUNKS_A_TICK * 1_000) / chunksPerSecond,
		);
		response.on("close", () => clearInterval(timer));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
