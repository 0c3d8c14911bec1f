import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { A2aStreamResponse } from "@stemma/client/a2a";

/** A receiver of push notifications. */
export interface Webhook {
	readonly url: string;
	/** All that came in, also what was refused. */
	readonly received: readonly ReceivedNews[];
	/** Answers so from now on. */
	answer(status: number): void;
	/** Never answers from now on. */
	hang(): void;
	/** What it was told, each as its state. */
	states(): readonly (string | undefined)[];
	close(): Promise<void>;
}

export interface ReceivedNews {
	readonly headers: IncomingHttpHeaders;
	readonly news: A2aStreamResponse;
}

export const toState = (news: A2aStreamResponse): string | undefined =>
	"task" in news
		? news.task.status.state
		: "statusUpdate" in news
			? news.statusUpdate.status.state
			: undefined;

export async function startWebhook(): Promise<Webhook> {
	const received: ReceivedNews[] = [];
	let status: number | undefined = 200;
	const server = createServer(async (request, response) => {
		received.push({ headers: request.headers, news: JSON.parse(await text(request)) });
		if (status !== undefined) response.writeHead(status, { location: "http://127.0.0.1:9/" }).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/news?of=tasks`,
		received,
		answer(next) {
			status = next;
		},
		hang() {
			status = undefined;
		},
		states: () => received.map(({ news }) => toState(news)),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
