/**
 * Checks whether a request failed because no server listens at its address, so that it was not sent. Only Node, Bun and
 * Deno report this.
 */
export function isRefusedConnection(error: unknown): boolean {
	for (let cause: unknown = error, depth = 0; depth < 5 && cause instanceof Error; depth++) {
		if ("code" in cause && cause.code === "ECONNREFUSED") return true;
		cause = cause.cause;
	}
	return false;
}
