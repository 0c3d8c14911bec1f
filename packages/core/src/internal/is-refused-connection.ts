/** Whether a request failed because no server listens at its address: it was not sent. Known in Node, Bun and Deno alone. */
export function isRefusedConnection(error: unknown): boolean {
	for (let cause: unknown = error, depth = 0; depth < 5 && cause instanceof Error; depth++) {
		if ("code" in cause && cause.code === "ECONNREFUSED") return true;
		cause = cause.cause;
	}
	return false;
}
