import type { Role } from "@stemma/client";
import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../audit/audit-record";
import type {
	DecideIdentityRole,
	EndedSessions,
	IdentityRepository,
	IdentitySignIn,
	IssuerIdentity,
} from "../../../people/oidc/identity-repository";
import type { StoredMember, StoredSession } from "../../../people/stored-people";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { insertSession } from "./insert-session";
import { countActiveMembers, countOtherAdmins } from "./member-counts";
import { findMember } from "./member-rows";
import { replaceMember } from "./replace-member";
import { SESSION_COLUMNS } from "./session-repository";

type Transaction = Kysely<DeploymentTables>;

/** Rolls a transaction back without an error. */
class NothingToStore extends Error {}

/** Identities of people at issuers, of the deployment, in its tables. */
export const createIdentityRepository = ({ read, write }: Queries<DeploymentTables>): IdentityRepository => ({
	async signIn(signIn, decide, toAudit, toChangeAudit) {
		try {
			return await write.transaction().execute(async (transaction) => {
				const userId = await findOrAddUser(transaction, signIn);
				const changes = await updateMembers(transaction, signIn, { userId, decide });
				const [first] = changes;
				if (first === undefined) throw new NothingToStore();
				const session = await insertSession(transaction, first.member, signIn);
				await storeIdentity(transaction, signIn, userId, session.id);
				await recordDeploymentAudit(transaction, first.member.workspace_id, toAudit(first.member));
				await recordChanges(transaction, changes.slice(1), toChangeAudit);
				return { session, member: first.member };
			});
		} catch (error) {
			if (error instanceof NothingToStore) return undefined;
			throw error;
		}
	},
	async findMember(identity, workspaceIds) {
		const userId = await findKnownUser(read, identity);
		if (userId === undefined) return undefined;
		for (const workspaceId of workspaceIds) {
			const member = await findMember(read, workspaceId, userId);
			if (member?.status === "active") return member;
		}
		return undefined;
	},
	listByUser: (user) =>
		read
			.selectFrom("identities")
			.innerJoin("users", "users.id", "identities.user_id")
			.select(["identities.issuer", "identities.confirmed_at"])
			.where("id" in user ? "users.id" : "users.email", "=", "id" in user ? user.id : user.email)
			.execute(),
	withdrawConfirmation: (identity) => withdrawConfirmation(write, identity),
	async findIssuer(sessionId) {
		const found = await read
			.selectFrom("session_identities")
			.select("issuer")
			.where("session_id", "=", sessionId)
			.executeTakeFirst();
		return found?.issuer;
	},
	endSessions: (ended, toAudit) =>
		write.transaction().execute((transaction) => endSessions(transaction, ended, toAudit)),
});

async function endSessions(
	transaction: Transaction,
	{ issuer, subject, sid }: EndedSessions,
	toAudit: (session: StoredSession) => AuditEntry,
): Promise<number> {
	if (subject === undefined && sid === undefined) return 0;
	const ofIssuer = (query: Transaction) =>
		query
			.selectFrom("session_identities")
			.select("session_id")
			.where("issuer", "=", issuer)
			.$if(subject !== undefined, (narrowed) => narrowed.where("subject", "=", subject ?? ""))
			.$if(sid !== undefined, (narrowed) => narrowed.where("sid", "=", sid ?? ""));
	// Without a session of the issuer, all of the person end: those by passkeys and links, too.
	const userId =
		sid === undefined && subject !== undefined
			? await findUserId(transaction, { issuer, subject })
			: undefined;
	if (sid === undefined && subject !== undefined)
		await withdrawConfirmation(transaction, { issuer, subject });
	const sessions = await transaction
		.deleteFrom("sessions")
		.where(({ eb, or }) =>
			or([
				eb("id", "in", ofIssuer(transaction)),
				...(userId === undefined ? [] : [eb("user_id", "=", userId)]),
			]),
		)
		.returning(SESSION_COLUMNS)
		.execute();
	for (const session of sessions)
		await recordDeploymentAudit(transaction, session.workspace_id, toAudit(session));
	return sessions.length;
}

async function withdrawConfirmation(
	queries: Kysely<DeploymentTables>,
	{ issuer, subject }: IssuerIdentity,
): Promise<void> {
	await queries
		.updateTable("identities")
		.set({ confirmed_at: 0 })
		.where("issuer", "=", issuer)
		.where("subject", "=", subject)
		.execute();
}

const findUserId = async (
	queries: Kysely<DeploymentTables>,
	{ issuer, subject }: IssuerIdentity,
): Promise<string | undefined> =>
	(
		await queries
			.selectFrom("identities")
			.select("user_id")
			.where("issuer", "=", issuer)
			.where("subject", "=", subject)
			.executeTakeFirst()
	)?.user_id;

/** Finds the user of an identity, else of a verified address. */
async function findKnownUser(
	queries: Kysely<DeploymentTables>,
	{ issuer, subject, knownEmail }: IssuerIdentity & Pick<IdentitySignIn, "knownEmail">,
): Promise<string | undefined> {
	const known = await findUserId(queries, { issuer, subject });
	if (known !== undefined || knownEmail === undefined) return known;
	const user = await queries
		.selectFrom("users")
		.select("id")
		.where("email", "=", knownEmail)
		// Once the issuer's id of a person is known, it alone counts: addresses are given to others.
		.where("id", "not in", (query) =>
			query.selectFrom("identities").select("user_id").where("issuer", "=", issuer),
		)
		.executeTakeFirst();
	return user?.id;
}

/** Finds the user of an identity, else of a verified address, else adds one. @throws NothingToStore where there is none. */
async function findOrAddUser(transaction: Transaction, signIn: IdentitySignIn): Promise<string> {
	const known = await findKnownUser(transaction, signIn);
	if (known !== undefined) return known;
	const { newUser, session } = signIn;
	if (newUser === undefined) throw new NothingToStore();
	const added = await transaction
		.insertInto("users")
		.values({ ...newUser, created_at: session.created_at })
		// The address is another person's.
		.onConflict((conflict) => conflict.doNothing())
		.returning("id")
		.executeTakeFirst();
	if (added === undefined) throw new NothingToStore();
	return added.id;
}

interface MemberUpdate {
	readonly member: StoredMember;
	readonly previous: Role | undefined;
}

/** Gives the person the roles that were decided, and returns the members, in the order of the workspaces. */
async function updateMembers(
	transaction: Transaction,
	{ workspaceIds, name, session }: IdentitySignIn,
	{ userId, decide }: { readonly userId: string; readonly decide: DecideIdentityRole },
): Promise<readonly MemberUpdate[]> {
	const updates: MemberUpdate[] = [];
	for (const workspaceId of workspaceIds) {
		const member = await findMember(transaction, workspaceId, userId);
		const role = decide({
			...{ workspaceId, member },
			activeMembers: await countActiveMembers(transaction, workspaceId),
			otherAdmins: await countOtherAdmins(transaction, workspaceId, userId),
		});
		if (role === undefined) continue;
		if (member?.role === "admin" && role !== "admin") await endLinks(transaction, workspaceId, userId);
		const createdAt = session.created_at;
		await replaceMember(transaction, { workspaceId, userId, role, name, createdAt });
		const updated = await findMember(transaction, workspaceId, userId);
		if (updated !== undefined) updates.push({ member: updated, previous: member?.role });
	}
	return updates;
}

/** Ends the links that an admin has made who is none any more. */
async function endLinks(transaction: Transaction, workspaceId: string, userId: string): Promise<void> {
	await transaction
		.deleteFrom("sign_in_links")
		.where("workspace_id", "=", workspaceId)
		.where("invited_by", "=", userId)
		.execute();
}

async function storeIdentity(
	transaction: Transaction,
	{ issuer, subject, sid, session }: IdentitySignIn,
	userId: string,
	sessionId: string,
): Promise<void> {
	await transaction
		.insertInto("identities")
		.values({
			issuer,
			subject,
			user_id: userId,
			created_at: session.created_at,
			confirmed_at: session.created_at,
		})
		.onConflict((conflict) =>
			conflict.columns(["issuer", "subject"]).doUpdateSet({ confirmed_at: session.created_at }),
		)
		.execute();
	await transaction
		.insertInto("session_identities")
		.values({ session_id: sessionId, issuer, subject, sid: sid ?? null })
		.execute();
}

async function recordChanges(
	transaction: Transaction,
	changes: readonly MemberUpdate[],
	toAudit: (member: StoredMember, previous: Role | undefined) => AuditEntry,
): Promise<void> {
	for (const { member, previous } of changes)
		if (member.role !== previous)
			await recordDeploymentAudit(transaction, member.workspace_id, toAudit(member, previous));
}
