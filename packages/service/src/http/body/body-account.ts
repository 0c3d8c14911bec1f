import type { ServiceContext } from "../service-context";

/**
 * Counts bytes of a request's body that are in memory, until the request is answered. Requests without a caller are not
 * counted: their bodies are small.
 *
 * @throws DomainError `too_many_bytes`
 */
export function chargeBody(context: ServiceContext, bytes: number): void {
	const caller = context.get("caller") as { readonly workspaceId: string } | undefined;
	if (caller === undefined || bytes === 0) return;
	const account = context.get("bodyAccount") ?? context.get("kernel").bodies.open(caller.workspaceId);
	context.set("bodyAccount", account);
	account.add(bytes);
}

/** Gives back what was counted, unless a stream has taken it over. */
export function releaseBody(context: ServiceContext): void {
	context.get("bodyAccount")?.release();
}

/** Lets an answer that is a stream hold what was counted. @returns a function that gives it back. */
export function transferBody(context: ServiceContext): () => void {
	const account = context.get("bodyAccount");
	context.set("bodyAccount", undefined);
	return () => account?.release();
}
