import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../../audit/audit-author";
import { createId } from "../../create-id";
import type { PageRequest } from "../../pagination";
import { MAX_PASSKEYS_PER_USER } from "../people-limits";
import type { SessionReach } from "../stored-people";
import { passkeyNotCreated, passkeyNotFound, tooManyPasskeys } from "./passkey-errors";
import type { PasskeyOwner, PasskeyRepository } from "./passkey-repository";
import type { StoredPasskey } from "./stored-passkey";
import { type CeremonyExpectation, type RegistrationResponse, verifyRegistration } from "./webauthn";

/** Part of a session that the passkeys take over which are added in it. */
export interface PasskeySession {
	readonly reach: SessionReach;
	readonly invitedBy: string | null;
}

/** Passkeys of one member. */
export interface Passkeys {
	/** Lists them, newest first: up to one more than `limit`, so that the caller knows whether there are more. */
	list(page: PageRequest): Promise<readonly StoredPasskey[]>;
	/** Ids that the authenticators of the member know. */
	listCredentialIds(): Promise<readonly string[]>;
	/**
	 * Adds one that the browser has made.
	 *
	 * @param session - in which it is added: its reach, and who made its invitation, where that is somebody else.
	 *
	 * @throws DomainError `passkey_not_created`, `too_many_passkeys`
	 */
	create(
		response: RegistrationResponse,
		{ name, session }: { readonly name: string; readonly session: PasskeySession },
		expected: CeremonyExpectation,
	): Promise<StoredPasskey>;
	/** @throws DomainError `passkey_not_found` */
	rename(id: string, name: string): Promise<StoredPasskey>;
	/** @throws DomainError `passkey_not_found` */
	delete(id: string): Promise<void>;
}

/** @param author - of what is changed by it. */
export const createPasskeys = (
	repository: PasskeyRepository,
	owner: PasskeyOwner,
	author: AuditAuthor,
): Passkeys => ({
	list: (page) => repository.list(owner, page),
	async listCredentialIds() {
		const passkeys = await repository.list(owner, { limit: MAX_PASSKEYS_PER_USER, after: undefined });
		return passkeys.map(({ credential_id }) => credential_id);
	},
	async create(response, { name, session: { invitedBy, reach } }, expected) {
		const verified = await verifyRegistration(response, expected).catch((error: unknown) => {
			throw passkeyNotCreated(error);
		});
		const passkey: StoredPasskey = {
			...{ ...owner, ...verified, name, reach },
			id: createId("pk"),
			party_id: expected.party.id,
			invited_by: invitedBy,
			created_at: clock.now(),
			last_used_at: null,
		};
		const details = invitedBy === null ? {} : { invited_by: invitedBy };
		const audit = { ...author, action: "passkey.created", target: passkey.id, details } as const;
		if (!(await repository.insert(passkey, audit, assertSpace))) throw passkeyNotCreated();
		return passkey;
	},
	async rename(id, name) {
		const audit = { ...author, action: "passkey.renamed", target: id } as const;
		const renamed = await repository.rename(owner, id, name, audit);
		if (renamed === undefined) throw passkeyNotFound();
		return renamed;
	},
	async delete(id) {
		const details = author.actor === owner.user_id ? {} : { user_id: owner.user_id };
		const audit = { ...author, action: "passkey.deleted", target: id, details } as const;
		if (!(await repository.delete(owner, id, audit))) throw passkeyNotFound();
	},
});

function assertSpace(count: number): void {
	if (count >= MAX_PASSKEYS_PER_USER) throw tooManyPasskeys();
}
