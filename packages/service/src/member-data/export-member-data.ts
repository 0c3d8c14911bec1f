import type { Member, MemberData } from "@stemma/client";
import { toAuthorization } from "../authorizations/present-authorization";
import { toFeedback } from "../feedback/feedback-view";
import type { PageRequest } from "../pagination";
import { findInviter, toPasskey, toUserSession } from "../people/present-people";
import type { RequestScope } from "../request-scope";
import { toRunRecord } from "../runs/stored-run";
import type { DeploymentStore } from "../store/deployment-store";
import { toThread, toThreadMessage } from "../threads/present-thread";

/** Parts of the deployment's store that have data of people. */
export type MemberDataStore = Pick<DeploymentStore, "sessions" | "passkeys" | "authorizations" | "members">;

/** Rows that are read and sent together. */
const PAGE_SIZE = 50;

/** Reads what a workspace has about a member, in batches: one thread at a time, as it may be long. */
export async function* readMemberData(
	scope: RequestScope,
	{ sessions, passkeys, authorizations, members }: MemberDataStore,
	member: Member,
): AsyncGenerator<readonly MemberData[]> {
	const { store, id: workspaceId } = scope.workspace;
	yield [{ type: "profile", ...member }];
	yield* readPages(
		(page) => sessions.list(workspaceId, member.id, page),
		async (session) => {
			const inviter = await findInviter(members, workspaceId, session.invited_by);
			return { type: "session", ...toUserSession(session, undefined, inviter) };
		},
	);
	yield* readPages(
		(page) => passkeys.list({ workspace_id: workspaceId, user_id: member.id }, page),
		async (passkey) => {
			const inviter = await findInviter(members, workspaceId, passkey.invited_by);
			return { type: "passkey", ...toPasskey(passkey, inviter) };
		},
	);
	yield* readPages(
		(page) => authorizations.list(workspaceId, member.id, page),
		(authorization) => ({ type: "authorization", ...toAuthorization(authorization) }),
	);
	yield* readThreads(scope, member.id);
	yield* readPages(
		(page) => store.runs.list({ ...page, startedBy: member.id }),
		async (run) => ({
			type: "run",
			...toRunRecord(run, undefined, run.within === null ? await store.runs.findInputs(run.id) : undefined),
		}),
	);
	yield* readPages(
		(page) => store.feedback.listAnswers(member.id, page),
		({ id, created_at, content: { question, history, answer, citations } }) => ({
			...{ type: "answer", id, created_at: new Date(created_at).toISOString() },
			...{ question, history, answer, citations },
		}),
	);
	yield* readPages(
		(page) => store.feedback.list({ ...page, sentBy: member.id }),
		(feedback) => ({ type: "feedback", ...toFeedback(feedback) }),
	);
}

async function* readThreads(scope: RequestScope, owner: string): AsyncGenerator<readonly MemberData[]> {
	const { threads } = scope.workspace.store;
	for await (const batch of readPages(
		(page) => threads.list({ ...page, owner }),
		(thread) => thread,
	))
		for (const thread of batch) {
			const messages = await threads.listMessages(thread.id);
			const data = {
				thread: toThread(thread),
				messages: messages.map((message) => toThreadMessage(message, scope)),
			};
			yield [{ type: "thread", ...data }];
		}
}

/** Reads a list page by page. What is added meanwhile is not among it. */
async function* readPages<Row extends { readonly id: string }, Data>(
	list: (page: PageRequest) => Promise<readonly Row[]>,
	toData: (row: Row) => Data | Promise<Data>,
): AsyncGenerator<readonly Data[]> {
	let after: string | undefined;
	for (;;) {
		const listed = await list({ limit: PAGE_SIZE, after });
		const rows = listed.slice(0, PAGE_SIZE);
		if (rows.length > 0) yield await Promise.all(rows.map(toData));
		if (listed.length <= PAGE_SIZE) return;
		after = rows.at(-1)?.id;
	}
}
