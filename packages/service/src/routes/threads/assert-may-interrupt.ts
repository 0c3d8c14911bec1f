import { assertScope } from "../../http/auth/authenticate";
import type { RequestScope } from "../../request-scope";

/**
 * Asserts that a caller may cancel what is being answered or waits in a thread: runs are cancelled by those who may run
 * agents.
 *
 * @throws DomainError `missing_scope`.
 */
export async function assertMayInterrupt(
	{ caller, workspace }: Pick<RequestScope, "caller" | "workspace">,
	threadId: string,
): Promise<void> {
	const unfinished = await workspace.store.threads.listUnfinished(threadId);
	if (unfinished.some(({ run_id }) => run_id !== null)) assertScope(caller, "agents:run");
}
