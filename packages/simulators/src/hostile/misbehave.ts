import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Behaviour, Drip, Flood } from "./behaviour.ts";
import { toBody } from "./bodies.ts";
import { resetConnection } from "./reset-connection.ts";

/** What has nothing to do with runs. */
export type Misbehaviour = Exclude<Behaviour, { readonly kind: "normal" | "events" }>;

const HALF_HEADERS = "HTTP/1.1 200 OK\r\ncontent-type: application/js";
/** What was written is to arrive before the reset: a reset overtakes it. */
const FLUSH_DELAY_MS = 20;

/** Does with a request what no good service does. */
export async function misbehave(
	response: ServerResponse,
	behaviour: Misbehaviour,
	headers: IncomingHttpHeaders,
): Promise<void> {
	switch (behaviour.kind) {
		case "status": {
			const { status, body, headers: more } = behaviour;
			const { type, content, headers: own } = body === undefined ? NO_BODY : toBody(body, headers);
			const typed = type === "" ? {} : { "content-type": type };
			response.writeHead(status, { "x-request-id": "req_hostile", ...typed, ...own, ...more });
			return void response.end(content);
		}
		case "reset":
			return reset(response, behaviour.when);
		case "silence":
			if (behaviour.after === "status-line") response.socket?.write("HTTP/1.1 200 OK\r\n");
			if (behaviour.after === "headers") response.writeHead(200, JSON_TYPE).flushHeaders();
			return;
		case "drip":
			return drip(response, behaviour);
		case "raw":
			return void response.socket?.end(
				behaviour.text.replaceAll("{authorization}", headers.authorization ?? ""),
				"latin1",
			);
		case "flood":
			return flood(response, behaviour);
	}
}

const JSON_TYPE = { "content-type": "application/json" };
const NO_BODY = { type: "", content: "", headers: {} };

async function reset(response: ServerResponse, when: string): Promise<void> {
	if (when === "in-headers") response.socket?.write(HALF_HEADERS);
	if (when === "after-headers") response.writeHead(200, JSON_TYPE).flushHeaders();
	if (when === "in-body")
		response.writeHead(200, { ...JSON_TYPE, "content-length": "1000" }).write('{"half":');
	if (when !== "before-headers") await sleep(FLUSH_DELAY_MS);
	resetConnection(response);
}

async function drip(response: ServerResponse, { part, everyMs, status = 200 }: Drip): Promise<void> {
	const { socket } = response;
	if (part === "headers") socket?.write(`HTTP/1.1 ${status} Slow\r\nx-slow: `);
	else response.writeHead(status, JSON_TYPE).flushHeaders();
	while (socket !== null && !socket.destroyed) {
		if (part === "headers") socket.write("x");
		else response.write(" ");
		await sleep(everyMs);
	}
}

const MEGABYTE = "x".repeat(1024 * 1024);

async function flood(response: ServerResponse, { as, megabytes, status = 200 }: Flood): Promise<void> {
	const begin = { event: "data: ", line: "", json: '{"error":{"message":"' }[as];
	response.writeHead(status, as === "json" ? JSON_TYPE : { "content-type": "text/event-stream" });
	response.write(begin);
	for (let sent = 0; sent < megabytes && !response.destroyed; sent++) {
		const text = as === "event" ? `${MEGABYTE}\ndata: ` : MEGABYTE;
		if (response.write(text)) continue;
		await drainOrClose(response);
	}
	response.end(as === "json" ? '"}}' : "\n\n");
}

async function drainOrClose(response: ServerResponse): Promise<void> {
	const waiting = new AbortController();
	const either = ["drain", "close"].map((event) => once(response, event, { signal: waiting.signal }));
	await Promise.race(either).finally(() => waiting.abort());
}
