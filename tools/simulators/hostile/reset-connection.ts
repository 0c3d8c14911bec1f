import type { ServerResponse } from "node:http";

/** Answers whose connection the server itself has cut. */
const cut = new WeakSet<ServerResponse>();

export function resetConnection(response: ServerResponse): void {
	cut.add(response);
	response.socket?.resetAndDestroy();
}

export const isCutByServer = (response: ServerResponse): boolean => cut.has(response);
