import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Stands before a vendor, and lets streams that are marked go on only as far as whoever reads them says. */
export interface HeldVendor {
	/** For the service. */
	readonly baseUrl: string;
	/**
	 * A GET with `?mark=…&pieces=…` lets so many more pieces of text out, and tells how the stream is: `waiting` for its
	 * request, `open`, or `closed` before its end. Pages of any origin may.
	 */
	readonly releaseUrl: string;
	close(): void;
}

/** In the question of a stream that is held: its first piece comes by itself, each other waits to be let out. */
const MARK = /#held-(\w+)/;

export async function startHeldVendor(target: string): Promise<HeldVendor> {
	const gates = createGates();

	async function hold(asked: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await text(asked);
		const { method, url: path = "/", headers } = asked;
		const sent = request(new URL(target).origin, { method, headers, path }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			const [, mark] = MARK.exec(body) ?? [];
			const isHeld = mark !== undefined && answer.headers["content-type"]?.includes("event-stream");
			if (isHeld) pass(answer, response, gates.enter(mark, response)).catch(() => response.destroy());
			else answer.pipe(response);
		});
		response.on("close", () => sent.destroy());
		sent.on("error", () => response.destroy());
		sent.end(body);
	}

	const server = createServer((asked, response) => {
		const { pathname, searchParams } = new URL(asked.url ?? "/", "http://host");
		if (pathname !== "/release") {
			hold(asked, response).catch(() => response.destroy());
			return;
		}
		const state = gates.open(searchParams.get("mark") ?? "", Number(searchParams.get("pieces")));
		response.writeHead(200, { "access-control-allow-origin": "*" }).end(state);
	});
	await listen(server);
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		baseUrl: origin + new URL(target).pathname,
		releaseUrl: `${origin}/release`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

interface Gates {
	/** What it gives resolves when the next piece may go. */
	enter(mark: string, response: ServerResponse): () => Promise<void>;
	open(mark: string, pieces: number): "waiting" | "open" | "closed";
}

function createGates(): Gates {
	const allowed = new Map<string, number>();
	const waiting = new Map<string, () => void>();
	const responses = new Map<string, ServerResponse>();
	return {
		enter(mark, response) {
			responses.set(mark, response);
			let passed = 0;
			return async () => {
				while (passed > (allowed.get(mark) ?? 0))
					await new Promise<void>((resolve) => waiting.set(mark, resolve));
				passed += 1;
			};
		},
		open(mark, pieces) {
			allowed.set(mark, (allowed.get(mark) ?? 0) + pieces);
			waiting.get(mark)?.();
			const response = responses.get(mark);
			if (response === undefined) return "waiting";
			return response.destroyed && !response.writableEnded ? "closed" : "open";
		},
	};
}

/** Event by event. Those without text wait for nothing. */
async function pass(answer: IncomingMessage, response: ServerResponse, next: () => Promise<void>) {
	answer.setEncoding("utf8");
	let rest = "";
	for await (const piece of answer) {
		const events = (rest + piece).split("\n\n");
		rest = events.pop() ?? "";
		for (const event of events) {
			if (/"content":"[^"]/.test(event)) await next();
			response.write(`${event}\n\n`);
		}
	}
	response.end(rest);
}

const listen = (server: Server): Promise<void> =>
	new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
