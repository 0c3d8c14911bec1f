import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AGENT, eventsOf, RUN_TOKEN, type RunScript, toServerSentEvent } from "./run-events";

/** Serves one run as the service does. */
export interface RunServer {
	readonly url: string;
	/** What it was asked for: `POST /v1/agents/storyteller/run`. */
	readonly routes: readonly string[];
	close(): void;
}

/** In one long poll. */
const MAX_EVENTS_PER_POLL = 5;

export async function startRunServer(script: RunScript): Promise<RunServer> {
	const routes: string[] = [];
	const events = eventsOf(script);
	const breaks = new Set(script.breaksAt);

	function answer(request: IncomingMessage, response: ServerResponse): void {
		const { pathname, searchParams } = new URL(request.url ?? "/", "http://host");
		const { accept, "stemma-run-token": runToken, "last-event-id": lastEventId } = request.headers;
		const route = `${request.method} ${pathname}`;
		routes.push(route);
		const isStart = route === `POST /v1/agents/${AGENT}/run`;
		if (!isStart && (route !== "GET /v1/runs/run_1/events" || runToken !== RUN_TOKEN))
			return sendJson(response, {}, 404);
		if (accept === "text/event-stream") return void stream(response, Number(lastEventId ?? 0));
		if (isStart) return sendJson(response, { id: "run_1", status: "running", run_token: RUN_TOKEN }, 202);
		const after = Number(searchParams.get("after"));
		const end = after + MAX_EVENTS_PER_POLL;
		sendJson(response, { data: events.slice(after, end), done: end >= events.length });
	}

	async function stream(response: ServerResponse, after: number): Promise<void> {
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const event of events.slice(after)) {
			const text = toServerSentEvent(event);
			if (breaks.delete(event.seq)) return breakWithin(response, text);
			if (!response.write(text)) await untilDrained(response);
			if (response.destroyed) return;
		}
		response.end();
	}

	const server = createServer((request, response) => {
		request.resume().on("end", () => answer(request, response));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		routes,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** What was written has time to arrive. */
function breakWithin(response: ServerResponse, text: string): void {
	response.write(text.slice(0, -10), () => setTimeout(() => response.socket?.destroy(), 20));
}

const untilDrained = (response: ServerResponse): Promise<void> =>
	new Promise((resolve) => {
		const startStreaming = () => {
			response.off("drain", startStreaming).off("close", startStreaming);
			resolve();
		};
		response.on("drain", startStreaming).on("close", startStreaming);
	});

function sendJson(response: ServerResponse, body: object, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
