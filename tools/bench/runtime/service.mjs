// A service's stand-in, as far as a runtime asks: a token, one model, and its streams: `node service.mjs <events a second>`.
import { createServer } from "node:http";
import { serveParent } from "./parent.mjs";
import { createTicker } from "./ticker.mjs";

const ticker = createTicker(Number(process.argv[2]));
const decision = {
	provider: "scripted",
	model: "scripted",
	vendor_host: "",
	payer: "none",
	reason: "It is.",
};
const ANSWERS = {
	"/oauth/token": { access_token: "t", token_type: "bearer", expires_in: 900, scope: "ask agents:run" },
	// One node a graph.
	"/v1/models/resolve": { data: [{ node: "desk", ...decision }] },
};

function sendStream(response) {
	response.writeHead(200, { "content-type": "text/event-stream" });
	ticker.open((content) => {
		const choices = [{ index: 0, delta: { content }, finish_reason: null }];
		const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "scripted", choices };
		response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	});
}

const server = createServer((request, response) => {
	request.resume();
	if (request.url === "/v1/chat/completions") return sendStream(response);
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANSWERS[request.url]));
});
server.listen(0, "127.0.0.1", () => {
	serveParent(`http://127.0.0.1:${server.address().port}`, { start: ticker.start });
});
