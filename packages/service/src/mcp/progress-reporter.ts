import type { ServerContext } from "@modelcontextprotocol/server";

/** Tells a client that gave a token how far its call is; the number only ever grows, for nobody knows the end. */
export function createProgressReporter({
	_meta,
	notify,
}: ServerContext["mcpReq"]): (message: string) => void {
	const progressToken = _meta?.progressToken;
	if (progressToken === undefined) return () => undefined;
	let progress = 0;
	return (message) => {
		progress += 1;
		const params = { progressToken, progress, message };
		// Where the client has left, the call ends by its signal.
		notify({ method: "notifications/progress", params }).catch(() => undefined);
	};
}
