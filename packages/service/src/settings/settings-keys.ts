import type { CiphertextBinding, Keyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { DomainError } from "../errors/domain-error";
import type { Redactor } from "../redaction/redactor";
import { canMoveKey } from "./can-move-key";
import type { CheckedSettings } from "./check-settings";
import type { StoredLlmSettings } from "./settings-repository";

/** Options of the keys in a workspace's model settings. */
export interface SettingsKeyOptions {
	readonly workspaceId: string;
	readonly keyring: Keyring;
	readonly redactor: Pick<Redactor, "add">;
}

/** Opens and encrypts the keys in a workspace's model settings, each bound to its provider and address. */
export function createSettingsKeys({ workspaceId, keyring, redactor }: SettingsKeyOptions) {
	type Address = Pick<StoredLlmSettings, "provider" | "base_url">;
	const toBinding = ({ provider, base_url }: Address): CiphertextBinding => ({
		workspaceId,
		purpose: `llm_settings:${provider}`,
		address: base_url,
	});
	/** No log tells of what is in use. */
	function addToRedactor(secret: Secret | undefined): Secret | undefined {
		if (secret !== undefined) redactor.add(secret);
		return secret;
	}
	const openKey = (row: StoredLlmSettings): Secret | undefined =>
		row.api_key === null ? undefined : addToRedactor(keyring.decrypt(row.api_key, toBinding(row)));

	return {
		openKey,
		/** Resolves the key that settings will have: the one that is sent, none, or the stored one where it may go along. */
		resolveKey(
			stored: StoredLlmSettings | undefined,
			settings: CheckedSettings,
			requestedKey: string | null | undefined,
		): Secret | undefined {
			if (requestedKey !== undefined)
				return requestedKey === null ? undefined : addToRedactor(new Secret(requestedKey));
			if (stored === undefined || stored.api_key === null) return undefined;
			if (!canMoveKey(stored, settings)) throw apiKeyRequiredError();
			const opened = openKey(stored);
			if (opened === undefined) throw undecryptableError();
			return opened;
		},
		encryptKey: (key: Secret, settings: Address): string => keyring.encrypt(key, toBinding(settings)),
	};
}

const apiKeyRequiredError = (): DomainError =>
	new DomainError(
		"api_key_required",
		"The stored key was given for another address, and is sent only to that address.",
		{
			hint: "Send the `api_key` again, or `null` for an endpoint without one.",
			param: "api_key",
		},
	);

const undecryptableError = (): DomainError =>
	new DomainError("credential_undecryptable", "No encryption key of the service decrypts the stored key.", {
		hint: "Send the `api_key` again, or ask the operator for the key that it was encrypted with.",
		param: "api_key",
	});
