// A stream of Node piped into its bare HTTP server: `node pipe-server.mjs <events a second>`.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { toDelta } from "./delta-event.mjs";
import { serveParent } from "./parent.mjs";
import { createTicker } from "./ticker.mjs";

const ticker = createTicker(Number(process.argv[2] ?? 0));

const server = createServer((request, response) => {
	request.resume();
	response.writeHead(200, { "content-type": "text/event-stream" });
	const events = new Readable({ read() {} });
	events.pipe(response);
	let seq = 0;
	ticker.open((text) => {
		seq += 1;
		events.push(`id: ${seq}\nevent: text.delta\ndata: ${JSON.stringify(toDelta(seq, text))}\n\n`);
	});
});
server.listen(0, "127.0.0.1", () => {
	serveParent(`http://127.0.0.1:${server.address().port}`, { start: ticker.start });
});
