import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What no vendor of ours allows, and a gateway before it may: calls from pages of any origin. */
const ALLOWED = {
	"access-control-allow-origin": "*",
	"access-control-allow-headers": "*, authorization",
	"access-control-allow-methods": "POST",
	"access-control-expose-headers": "*",
};

export interface CorsProxy {
	readonly baseUrl: string;
	close(): void;
}

/** Hands on what it gets as it is, the host that was signed included, to what listens at `target`. */
export async function startCorsProxy(target: string): Promise<CorsProxy> {
	const server = createServer((incoming, response) => {
		if (incoming.method === "OPTIONS") response.writeHead(204, ALLOWED).end();
		else forward(target, incoming, response);
	});
	await listen(server);
	const { pathname } = new URL(target);
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === "/" ? "" : pathname}`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

function forward(target: string, incoming: IncomingMessage, response: ServerResponse): void {
	const { method, url = "/", headers } = incoming;
	const sent = request(new URL(target).origin, { method, headers, path: url }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...ALLOWED });
		answer.pipe(response);
	});
	response.on("close", () => sent.destroy());
	sent.on("error", () => response.destroy());
	incoming.pipe(sent);
}

const listen = (server: Server): Promise<void> =>
	new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
