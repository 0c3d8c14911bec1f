import { findHiddenItems } from "../access/hidden-items";
import type { RequestScope } from "../request-scope";
import type { StoredThread } from "./stored-thread";
import { threadNotFound } from "./thread-errors";
import { isThreadToken } from "./thread-token";

/**
 * Gets a thread for a caller. For a user there are only their own, for a client key those that it created, with their token.
 *
 * @param token - the header `stemma-thread-token`.
 * @throws DomainError `thread_not_found`.
 */
export async function getThread(
	{ caller, workspace, kernel }: Pick<RequestScope, "caller" | "workspace" | "kernel">,
	id: string,
	token: string | undefined,
): Promise<StoredThread> {
	const thread = await workspace.store.threads.find(id);
	const isOwn =
		caller.kind === "client" ||
		(thread?.owner_id === caller.id &&
			(caller.kind === "user" || isThreadToken(token, id, kernel.fingerprint)));
	const { agentNames } = await findHiddenItems({ caller, workspace });
	if (thread === undefined || !isOwn || agentNames.has(thread.agent_id ?? ""))
		throw threadNotFound(id, caller.kind);
	return thread;
}
