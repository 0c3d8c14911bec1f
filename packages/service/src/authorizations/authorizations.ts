import { clock } from "@stemma/core/internal";
import type { UserCaller } from "../auth/caller";
import { hashSecret } from "../auth/secrets";
import type { Confirmations } from "../people/oidc/confirmations";
import { SESSION_TOUCH_MS } from "../people/people-limits";
import { ROLE_SCOPES } from "../people/roles";
import type { Apps } from "./apps";
import type { AuthorizationRepository } from "./authorization-repository";
import type { AuthorizationMember } from "./stored-authorizations";

/** Prefix of access tokens of apps. */
export const APP_TOKEN_PREFIX = "oat";
/** Prefix of authorizations, which stand for the session of a person where an app acts as them. */
const AUTHORIZATION_ID = /^aut_/;

/** Access of apps, as requests use it. */
export interface Authorizations {
	readonly apps: Apps;
	/**
	 * Finds the person that an app acts as, by its access token; `undefined` for one that is unknown, has ended or is for
	 * another resource. The caller has the scopes that the person agreed to and the role still has.
	 *
	 * @param resource - path of the request's target: `/mcp`.
	 */
	findCaller(token: string, resource: string): Promise<UserCaller | undefined>;
	/** Finds the person that an app acts as, by the id of the authorization; `undefined` where it has ended. */
	findById(id: string): Promise<UserCaller | undefined>;
	/** Forgets what has ended, and apps that nobody uses. */
	sweep(): Promise<void>;
}

/** Checks whether a credential is the access token of an app. */
export const isAppToken = (credential: string): boolean => credential.startsWith(`${APP_TOKEN_PREFIX}_`);

/** Checks whether what stands for a session is an authorization. */
export const isAuthorizationId = (sessionId: string): boolean => AUTHORIZATION_ID.test(sessionId);

/** @param onError - receives what kept the use of an authorization from being stored; the request goes on. */
export const createAuthorizations = (
	repository: AuthorizationRepository,
	{ apps, isConfirmed }: { readonly apps: Apps } & Pick<Confirmations, "isConfirmed">,
	onError: (error: unknown) => void,
): Authorizations => ({
	apps,
	async findCaller(token, resource) {
		const now = clock.now();
		const found = await repository.findByAccessToken(hashSecret(token), now);
		if (found === undefined || found.authorization.resource !== resource) return undefined;
		if (!(await isConfirmed(found.member))) return undefined;
		const { id, last_used_at } = found.authorization;
		if (now - last_used_at >= SESSION_TOUCH_MS) await repository.touch(id, now).catch(onError);
		return toUserCaller(found);
	},
	async findById(id) {
		const found = await repository.findMember(id);
		return found && (await isConfirmed(found.member)) ? toUserCaller(found) : undefined;
	},
	async sweep() {
		await repository.deleteExpired(clock.now());
		await apps.sweep();
	},
});

/** Lists those of some authorizations that have not ended, and whose person the issuer still knows. */
export async function listLiveAuthorizations(
	repository: Pick<AuthorizationRepository, "findMember" | "listLive">,
	{ isConfirmed }: Pick<Confirmations, "isConfirmed">,
	ids: readonly string[],
): Promise<readonly string[]> {
	const live: string[] = [];
	for (const id of await repository.listLive(ids)) {
		const found = await repository.findMember(id);
		if (found !== undefined && (await isConfirmed(found.member))) live.push(id);
	}
	return live;
}

const toUserCaller = ({ authorization, member }: AuthorizationMember): UserCaller => ({
	kind: "user",
	id: member.id,
	workspaceId: member.workspace_id,
	role: member.role,
	scopes: ROLE_SCOPES[member.role].filter((scope) => authorization.scopes.includes(scope)),
	sessionId: authorization.id,
});
