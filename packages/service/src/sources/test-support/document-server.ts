import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Page that a test server has; `null`: it is gone. */
export type TestPage = string | null;

/** Server of one page, which answers conditional requests. */
export interface DocumentServer {
	readonly url: string;
	page: TestPage;
	/** Statuses of the next responses, in place of the page. */
	readonly statuses: { readonly status: number; readonly headers?: Record<string, string> }[];
	/** Statuses of all responses so far. */
	readonly answered: number[];
	close(): Promise<void>;
}

export async function startDocumentServer(page: TestPage): Promise<DocumentServer> {
	const state = { page, statuses: [] as DocumentServer["statuses"], answered: [] as number[] };
	const server = createServer((request, response) => {
		const respond = (status: number, headers: Record<string, string> = {}, body = ""): void => {
			state.answered.push(status);
			response.writeHead(status, headers).end(body);
		};
		const next = state.statuses.shift();
		if (next !== undefined) return respond(next.status, next.headers);
		if (state.page === null) return respond(404);
		const etag = `"${createHash("sha256").update(state.page).digest("hex").slice(0, 16)}"`;
		if (request.headers["if-none-match"] === etag) return respond(304, { etag });
		respond(200, { etag, "content-type": "text/markdown" }, state.page);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return Object.assign(state, {
		url: `http://127.0.0.1:${port}/handbook.md`,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	});
}
