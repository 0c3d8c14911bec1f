import type { CiphertextBinding, Keyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { DomainError } from "../errors/domain-error";
import type { Redactor } from "../redaction/redactor";
import type { StoredSecret } from "./secret-repository";

/** Encryption of the secrets of one workspace: with which keys, and who redacts what was set. */
export interface SecretCipherOptions {
	readonly workspaceId: string;
	readonly keyring: Keyring;
	readonly redactor: Pick<Redactor, "add">;
}

/** Secret of one name for one server. */
type SecretTarget = Pick<StoredSecret, "name" | "server_url">;

/** Encryption of a workspace's secrets, each bound to its name and its server. */
export interface SecretCipher {
	decrypt(stored: StoredSecret): Secret | undefined;
	/**
	 * Encrypts a value; without one, returns what is stored: for the same server alone.
	 *
	 * @throws DomainError `value_required`.
	 */
	resolveValue(stored: StoredSecret | undefined, target: SecretTarget, value: string | undefined): string;
}

export function createSecretCipher({ workspaceId, keyring, redactor }: SecretCipherOptions): SecretCipher {
	const toBinding = ({ name, server_url }: SecretTarget): CiphertextBinding => ({
		workspaceId,
		purpose: `secret:${name}`,
		address: server_url,
	});
	return {
		decrypt: (stored) => keyring.decrypt(stored.value, toBinding(stored)),
		resolveValue(stored, target, value) {
			if (value !== undefined) {
				redactor.add(value);
				return keyring.encrypt(new Secret(value), toBinding(target));
			}
			if (stored?.server_url !== target.server_url) throw valueRequiredError(stored !== undefined);
			return stored.value;
		},
	};
}

const valueRequiredError = (isStored: boolean): DomainError =>
	new DomainError(
		"value_required",
		isStored
			? "The value that is stored was given for another server, and is not sent anywhere else."
			: "There is no value yet.",
		{ hint: "Send the `value` with it.", param: "value" },
	);
