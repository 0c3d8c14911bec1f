import type { ServerResponse } from "node:http";

/** Answers whose connection the server itself has cut. */
const resetResponses = new WeakSet<ServerResponse>();

export function resetConnection(response: ServerResponse): void {
	resetResponses.add(response);
	response.socket?.resetAndDestroy();
}

export const isResetByServer = (response: ServerResponse): boolean => resetResponses.has(response);
