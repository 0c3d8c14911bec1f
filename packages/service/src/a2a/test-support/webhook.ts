import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { A2aStreamResponse } from "@stemma/client/a2a";

/** A receiver of push notifications. */
export interface Webhook {
	readonly url: string;
	/** Received notifications, including refused ones. */
	readonly received: readonly ReceivedNotification[];
	/** Sets the HTTP status of all later responses. */
	respondWith(status: number): void;
	/** Leaves all later requests without a response. */
	stopResponding(): void;
	/** Task states of the received notifications, in order. */
	states(): readonly (string | undefined)[];
	close(): Promise<void>;
}

export interface ReceivedNotification {
	readonly headers: IncomingHttpHeaders;
	readonly notification: A2aStreamResponse;
}

export const toState = (notification: A2aStreamResponse): string | undefined =>
	"task" in notification
		? notification.task.status.state
		: "statusUpdate" in notification
			? notification.statusUpdate.status.state
			: undefined;

export async function startWebhook(): Promise<Webhook> {
	const received: ReceivedNotification[] = [];
	let status: number | undefined = 200;
	const server = createServer(async (request, response) => {
		received.push({ headers: request.headers, notification: JSON.parse(await text(request)) });
		if (status !== undefined) response.writeHead(status, { location: "http://127.0.0.1:9/" }).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications?of=tasks`,
		received,
		respondWith(next) {
			status = next;
		},
		stopResponding() {
			status = undefined;
		},
		states: () => received.map(({ notification }) => toState(notification)),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
