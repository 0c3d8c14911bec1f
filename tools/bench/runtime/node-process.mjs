// A server of bare node:http and nothing else: `node node-process.mjs <port>`.
import { createServer } from "node:http";

const body = JSON.stringify({ status: "ok", agents: { ready: 0, invalid: 0 } });
createServer((_, response) =>
	response.writeHead(200, { "content-type": "application/json" }).end(body),
).listen(Number(process.argv[2]), "127.0.0.1");
