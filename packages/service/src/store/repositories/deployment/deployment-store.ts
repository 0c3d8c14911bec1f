import { randomBytes } from "node:crypto";
import type { Queries } from "../../database";
import type { DeploymentStore } from "../../deployment-store";
import type { DeploymentTables } from "../../deployment-tables";
import { createDeploymentAuditRepository } from "../audit-repository";
import { createAppRepository } from "../authorizations/app-repository";
import { createAuthorizationRepository } from "../authorizations/authorization-repository";
import { listNewestIds } from "../newest-ids";
import { createIdentityRepository } from "../people/identity-repository";
import { createMemberRepository } from "../people/member-repository";
import { createPasskeyRepository } from "../people/passkey-repository";
import { createSessionRepository } from "../people/session-repository";
import { createSignInLinkRepository } from "../people/sign-in-link-repository";
import { createUsedTokenRepository } from "../people/used-token-repository";
import { createRunShareRepository } from "../run-shares/run-share-repository";
import { createAccessTokenRepository } from "./access-token-repository";
import { createClientKeyRepository } from "./client-key-repository";
import { createClientRepository } from "./client-repository";
import { createEncryptionKeyRepository } from "./encryption-key-repository";
import { createTokenBudgetRepository } from "./token-budget-repository";
import { createWorkspaceRepository } from "./workspace-repository";

/** Tables of the deployment, open. */
export interface OpenDeployment extends Queries<DeploymentTables> {
	/** Erases what was deleted and is still in the log. Default: nothing has to be done. */
	eraseLog?(): Promise<void>;
	close(): Promise<void> | void;
}

/** Repositories of the deployment, over its tables. */
export const createDeploymentStore = (queries: OpenDeployment): DeploymentStore => ({
	accessTokens: createAccessTokenRepository(queries),
	apps: createAppRepository(queries),
	audit: createDeploymentAuditRepository(queries),
	authorizations: createAuthorizationRepository(queries),
	clientKeys: createClientKeyRepository(queries),
	clients: createClientRepository(queries),
	encryptionKeys: createEncryptionKeyRepository(queries),
	identities: createIdentityRepository(queries),
	members: createMemberRepository(queries),
	passkeys: createPasskeyRepository(queries),
	runShares: createRunShareRepository(queries),
	sessions: createSessionRepository(queries),
	signInLinks: createSignInLinkRepository(queries),
	tokenBudgets: createTokenBudgetRepository(queries),
	usedTokens: createUsedTokenRepository(queries),
	workspaces: createWorkspaceRepository(queries, queries.eraseLog),
	getOrCreateSecret: (name) => getOrCreateSecret(queries, name),
	listNewestIds: () =>
		listNewestIds(queries.read, [
			...([
				"workspaces",
				"clients",
				"client_keys",
				"users",
				"sign_in_links",
				"sessions",
				"passkeys",
				"audit",
			] as const),
			...(["apps", "authorizations", "run_shares"] as const),
		]),
	close: async () => queries.close(),
});

const SECRET_BYTES = 32;

async function getOrCreateSecret({ write }: Queries<DeploymentTables>, name: string): Promise<Uint8Array> {
	await write
		.insertInto("deployment_secrets")
		.values({ name, value: randomBytes(SECRET_BYTES) })
		.onConflict((conflict) => conflict.doNothing())
		.execute();
	const { value } = await write
		.selectFrom("deployment_secrets")
		.select("value")
		.where("name", "=", name)
		.executeTakeFirstOrThrow();
	return value;
}
