import type { DeploymentAuditRepository } from "../audit/audit-repository";
import type { TokenBudgetRepository } from "../auth/budgets/token-budget-repository";
import type { ClientKeyRepository } from "../auth/client-keys/client-key-repository";
import type { ClientRepository } from "../auth/client-repository";
import type { AccessTokenRepository } from "../auth/tokens/access-token-repository";
import type { AppRepository, AuthorizationRepository } from "../authorizations/authorization-repository";
import type { EncryptionKeyRepository } from "../encryption/encryption-key-repository";
import type { IdentityRepository } from "../people/oidc/identity-repository";
import type { PasskeyRepository } from "../people/passkeys/passkey-repository";
import type {
	MemberRepository,
	SessionRepository,
	SignInLinkRepository,
} from "../people/people-repositories";
import type { UsedTokens } from "../people/used-tokens";
import type { RunShareRepository } from "../run-shares/run-share-repository";
import type { WorkspaceRepository } from "../workspaces/workspace-repository";

/** Repositories of what all workspaces share: who may come in, and nothing of what they keep. */
export interface DeploymentStore {
	readonly accessTokens: AccessTokenRepository;
	readonly apps: AppRepository;
	readonly audit: DeploymentAuditRepository;
	readonly authorizations: AuthorizationRepository;
	readonly clientKeys: ClientKeyRepository;
	readonly clients: ClientRepository;
	readonly encryptionKeys: EncryptionKeyRepository;
	readonly identities: IdentityRepository;
	readonly members: MemberRepository;
	readonly passkeys: PasskeyRepository;
	readonly runShares: RunShareRepository;
	readonly sessions: SessionRepository;
	readonly signInLinks: SignInLinkRepository;
	readonly tokenBudgets: TokenBudgetRepository;
	readonly usedTokens: UsedTokens;
	readonly workspaces: WorkspaceRepository;
	/** Returns a secret of this deployment alone: made when it is first asked for, and the same ever after. */
	getOrCreateSecret(name: string): Promise<Uint8Array>;
	/** Lists the newest id of each kind; ids tell when they were made. */
	listNewestIds(): Promise<readonly string[]>;
	/** Closes the store: nothing may want to write any more. */
	close(): Promise<void>;
}
