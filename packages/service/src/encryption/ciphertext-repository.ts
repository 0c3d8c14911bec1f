import type { AuditEntry } from "../audit/audit-record";
import type { CiphertextBinding } from "./keyring";

/** Encrypted value in the store of a workspace. */
export interface Ciphertext {
	readonly envelope: string;
	readonly binding: CiphertextBinding;
	readonly location: CiphertextLocation;
}

/** The model settings, the secret of a name, or the secrets of a receiver of push notifications. */
export type CiphertextLocation =
	| { readonly kind: "llm_settings" }
	| { readonly kind: "secret"; readonly name: string }
	| { readonly kind: "push_config"; readonly runId: string; readonly id: string };

/** Ciphertexts to delete, with the row of the audit that tells of it. */
export interface CiphertextDeletion {
	readonly ciphertexts: readonly Ciphertext[];
	/**
	 * True deletes the model settings that belong to a key, too, and not the key alone: where no key can be set any more,
	 * no question could be answered, and the settings not even be cleared.
	 */
	readonly deletesSettings: boolean;
	readonly audit: AuditEntry;
}

/** All that is encrypted in the store of a workspace. */
export interface CiphertextRepository {
	list(workspaceId: string): Promise<readonly Ciphertext[]>;
	/** Puts another envelope in place of this one; false where it is not there any more. */
	replace(ciphertext: Ciphertext, replacement: string): Promise<boolean>;
	/**
	 * Deletes ciphertexts and records it, in one transaction; a receiver of push notifications goes with its secrets.
	 *
	 * @param choose - called in the transaction with all that is there; `undefined` changes nothing.
	 */
	delete(
		workspaceId: string,
		choose: (all: readonly Ciphertext[]) => CiphertextDeletion | undefined,
	): Promise<void>;
}
