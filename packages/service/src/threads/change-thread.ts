import type { Thread, ThreadCreate, ThreadUpdate } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { createId } from "../create-id";
import type { RequestScope } from "../request-scope";
import { findRunnableAgent } from "../runs/start-agent-run";
import { assertThreadQuota } from "./assert-thread-quota";
import { toThread } from "./present-thread";
import { threadActive, threadNotFound } from "./thread-errors";

/**
 * Creates a thread of the caller.
 *
 * @throws DomainError `too_many_threads`, `agent_not_found`.
 */
export async function createThread(
	scope: RequestScope,
	{ title, metadata = {}, agent_id }: ThreadCreate,
): Promise<Thread> {
	const { caller, kernel, workspace } = scope;
	const agent = agent_id === undefined ? null : await findRunnableAgent(scope, agent_id);
	const id = createId("thr");
	const { threads: maximum } = kernel.limits;
	const thread = {
		...{ id, title: title ?? null, metadata },
		owner_kind: caller.kind,
		owner_id: caller.id,
		agent_id: agent?.id ?? null,
		created_at: clock.now(),
	};
	await workspace.store.threads.insert(thread, (counts) => assertThreadQuota(counts, caller.kind, maximum));
	const created = { ...thread, message_count: 0, characters: 0, active_run_id: null };
	return toThread({ ...created, updated_at: thread.created_at });
}

/** Changes a thread that the caller may use. @throws DomainError `thread_not_found`. */
export async function updateThread(
	{ workspace, caller }: RequestScope,
	id: string,
	update: ThreadUpdate,
): Promise<Thread> {
	const updated = await workspace.store.threads.update(id, update, clock.now());
	if (updated === undefined) throw threadNotFound(id, caller.kind);
	return toThread(updated);
}

/** Tries to delete a thread while messages go on to arrive. */
const DELETION_TRIES = 3;

/**
 * Deletes a thread that the caller may use, with its messages, their runs and its stored answers. What is being answered is
 * cancelled first.
 *
 * @param assertMayCancelRuns - called each time that runs would be cancelled; what it throws deletes nothing.
 * @throws DomainError `thread_active` where messages go on to arrive.
 */
export async function deleteThread(
	{ workspace }: RequestScope,
	id: string,
	assertMayCancelRuns: () => void,
): Promise<void> {
	for (let tries = 0; tries < DELETION_TRIES; tries++) {
		await workspace.threads.interrupt({ threadId: id }, assertMayCancelRuns);
		if ((await workspace.store.threads.delete(id)) !== "active") return;
	}
	throw threadActive();
}
