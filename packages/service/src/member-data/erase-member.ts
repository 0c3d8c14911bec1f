import { readAuthor } from "../audit/audit-author";
import { type AssertRoleAllowed, createMembers } from "../people/members";
import { memberNotFound } from "../people/people-errors";
import type { RequestScope } from "../request-scope";
import { deleteThread } from "../threads/change-thread";
import type { MemberDataStore } from "./export-member-data";

const PAGE_SIZE = 50;

/**
 * Deletes a member with all that the workspace has about them. First the membership ends, so that nothing new comes; the
 * member itself goes last, so that what was interrupted can be done again. The audit and receipts keep the id, which nothing
 * leads to a person any more.
 *
 * @param assertAllowed - throws where the caller must not do this to a member of such a role.
 * @throws DomainError `member_not_found`, `last_admin`
 */
export async function eraseMember(
	scope: RequestScope,
	store: MemberDataStore,
	id: string,
	assertAllowed: AssertRoleAllowed,
): Promise<void> {
	const { workspace } = scope;
	const author = readAuthor(scope);
	const member = await store.members.find(workspace.id, id);
	if (member === undefined) throw memberNotFound(id);
	assertAllowed(member.role);
	if (member.status === "active")
		await createMembers(store.members, workspace.id, author).remove(id, assertAllowed);
	await scope.kernel.people.watch.check();
	await cancelRuns(scope, id);
	// Feedback of others is found by the runs that it is about, which go with the threads.
	while (await workspace.store.storage.eraseUser(id));
	await deleteThreads(scope, id);
	while (await workspace.store.storage.eraseUser(id));
	await store.members.erase(workspace.id, id, { ...author, action: "member.erased", target: id });
}

async function deleteThreads(scope: RequestScope, owner: string): Promise<void> {
	for (;;) {
		const threads = await scope.workspace.store.threads.list({ limit: PAGE_SIZE, after: undefined, owner });
		if (threads.length === 0) return;
		for (const { id } of threads) await deleteThread(scope, id, () => undefined);
	}
}

/** Cancels the runs that are under way or wait for an approval: they end, and can be deleted then. */
async function cancelRuns({ workspace, signal }: RequestScope, startedBy: string): Promise<void> {
	for (const status of ["running", "paused"] as const)
		for (let after: string | undefined; ; ) {
			const listed = await workspace.store.runs.list({ limit: PAGE_SIZE, after, status, startedBy });
			for (const { id } of listed) {
				await workspace.runs.cancel(id);
				await workspace.runs.waitUntilSettled(id, signal);
			}
			if (listed.length <= PAGE_SIZE) break;
			after = listed.at(-1)?.id;
		}
}
