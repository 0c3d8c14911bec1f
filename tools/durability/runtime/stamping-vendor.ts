// node stamping-vendor.ts <milliseconds between chunks> <chunks> <share of calls that fail> <seed>: prints {"base_url"} as one
// line of JSON, then serves chat completions. Each chunk says when it was written; what is offered is called once, with the question.
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { startServer } from "@stemma/simulators/start-server";
import { createRandom } from "../random.ts";
import { writeStamp } from "./stamp.ts";

const [pauseMs = 0, chunks = 0, failing = 0, seed = 1] = process.argv.slice(2).map(Number);
const random = createRandom(seed);

interface Body {
	readonly messages: readonly { readonly role: string; readonly content: unknown }[];
	readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const KINDS = ["refused", "busy", "cut", "reported"] as const;
type Failure = (typeof KINDS)[number];

const ENVELOPE = {
	id: "chatcmpl-1",
	object: "chat.completion.chunk",
	created: 1_700_000_000,
	model: "stamps",
};

const server = await startServer(0, async (request, response) => {
	const { messages, tools } = JSON.parse(await text(request)) as Body;
	const failure = random.next() < failing ? random.pick(KINDS) : undefined;
	if (failure === "refused" || failure === "busy") {
		response.writeHead(failure === "busy" ? 429 : 500, { "content-type": "application/json" });
		response.end(JSON.stringify({ error: { message: "On purpose.", type: "server_error" } }));
		return;
	}
	response.writeHead(200, { "content-type": "text/event-stream" });
	const send = (data: object): void => void response.write(`data: ${JSON.stringify(data)}\n\n`);
	const [tool] = tools ?? [];
	if (tool !== undefined && !messages.some(({ role }) => role === "tool")) {
		const input = messages.findLast(({ role }) => role === "user")?.content;
		const call = { name: tool.function.name, arguments: JSON.stringify({ input }) };
		send(toChunk({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] }));
		finish("tool_calls");
		return;
	}
	const brokenAfter = failure === undefined ? undefined : random.between(1, chunks - 1);
	for (let chunk = 0; chunk < chunks; chunk++) {
		if (chunk === brokenAfter) return abortStream(failure);
		send(toChunk({ content: writeStamp() }));
		await wait(pauseMs);
		if (response.destroyed) return;
	}
	finish("stop");

	function finish(reason: string): void {
		send(toChunk({}, reason));
		send({ ...ENVELOPE, choices: [], usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 } });
		response.end("data: [DONE]\n\n");
	}

	function abortStream(kind: Failure | undefined): void {
		if (kind === "reported") send({ error: { message: "On purpose.", type: "server_error" } });
		else response.destroy();
		response.end();
	}
});
process.stdout.write(`${JSON.stringify({ base_url: `${server.origin}/v1` })}\n`);

function toChunk(delta: object, finishReason: string | null = null): object {
	return { ...ENVELOPE, choices: [{ index: 0, delta, finish_reason: finishReason }] };
}
