// An A2A agent that counts as far as it is told, and costs next to nothing itself; prints its address.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const toEvents = (id, count) => {
	const ids = { taskId: "task-1", contextId: "context-1" };
	const status = (state) => ({ state: `TASK_STATE_${state}`, timestamp: "2026-11-22T00:00:00.000Z" });
	const pieces = Array.from({ length: count }, (_, index) => ({
		artifactUpdate: {
			...ids,
			artifact: { artifactId: "answer", parts: [{ text: `${index + 1} ` }] },
			append: index > 0,
			lastChunk: index === count - 1,
		},
	}));
	const task = { id: ids.taskId, contextId: ids.contextId, status: status("SUBMITTED") };
	const events = [{ task }, ...pieces, { statusUpdate: { ...ids, status: status("COMPLETED") } }];
	return events.map((result) => `data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`).join("");
};

const toCard = (url) => ({
	name: "bench",
	description: "Counts.",
	version: "1.0.0",
	supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
	capabilities: { streaming: true },
	defaultInputModes: ["text/plain"],
	defaultOutputModes: ["text/plain"],
	skills: [],
});

const server = createServer(async (request, response) => {
	if (request.method === "GET") {
		response.writeHead(200, { "content-type": "application/json" });
		return response.end(JSON.stringify(toCard(`http://${request.headers.host}`)));
	}
	const { id, params } = JSON.parse(await text(request));
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.end(toEvents(id, Number(params.message.parts[0].text)));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
