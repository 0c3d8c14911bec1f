import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that all addresses of this machine lead to, and that counts. */
export interface TestTarget {
	readonly port: number;
	/** How many connections were made so far. */
	connections(): number;
	/** Of each request: method, path and `authorization`. */
	readonly requests: readonly string[];
	close(): Promise<void>;
}

export async function startTestTarget(
	answer: RequestListener = (_, response) => response.end("hello"),
): Promise<TestTarget> {
	let connections = 0;
	const requests: string[] = [];
	const server = createServer((request, response) => {
		const { method, url, headers } = request;
		requests.push([method, url, headers.authorization].filter(Boolean).join(" "));
		answer(request, response);
	});
	server.on("connection", () => {
		connections += 1;
	});
	// Without an address it takes those of IPv6 and IPv4.
	await new Promise<void>((resolve) => server.listen(0, () => resolve()));
	return {
		port: (server.address() as AddressInfo).port,
		connections: () => connections,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
