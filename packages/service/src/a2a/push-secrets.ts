import type { A2aPushConfigInput } from "@stemma/client/a2a";
import type { CiphertextBinding, Keyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import type { Redactor } from "../redaction/redactor";

/** Secrets by which a receiver of push notifications recognizes its sender. */
export interface PushSecrets {
	readonly token?: string;
	readonly credentials?: string;
}

/** Push configuration that the secrets belong to. */
export interface PushTarget {
	readonly run_id: string;
	readonly id: string;
	readonly url: string;
}

/** Binds the secrets of a push configuration to one address and one task. */
export const toPushBinding = (workspaceId: string, { run_id, id, url }: PushTarget): CiphertextBinding => ({
	workspaceId,
	purpose: `a2a_push:${run_id}:${id}`,
	address: url,
});

export interface PushEncryption {
	readonly workspaceId: string;
	readonly keyring: Keyring;
	readonly redactor: Pick<Redactor, "add">;
}

/** `null` where there is nothing to seal. */
export function encryptPushSecrets(
	{ token, authentication }: A2aPushConfigInput,
	target: PushTarget,
	{ workspaceId, keyring, redactor }: PushEncryption,
): string | null {
	const credentials = authentication?.credentials;
	const secrets: PushSecrets = {
		...(token !== undefined && { token }),
		...(credentials !== undefined && { credentials }),
	};
	if (Object.keys(secrets).length === 0) return null;
	addToRedactor(redactor, secrets);
	return keyring.encrypt(new Secret(JSON.stringify(secrets)), toPushBinding(workspaceId, target));
}

/** Decrypts the secrets of a push configuration; `undefined` where no key decrypts them. */
export function decryptPushSecrets(
	target: PushTarget & { readonly secrets: string | null },
	{ workspaceId, keyring, redactor }: PushEncryption,
): PushSecrets | undefined {
	if (target.secrets === null) return {};
	const decrypted = keyring.decrypt(target.secrets, toPushBinding(workspaceId, target));
	if (decrypted === undefined) return undefined;
	// Sealed by this file alone.
	const secrets = JSON.parse(decrypted.reveal()) as PushSecrets;
	addToRedactor(redactor, secrets);
	return secrets;
}

function addToRedactor(redactor: Pick<Redactor, "add">, { token, credentials }: PushSecrets): void {
	for (const secret of [token, credentials]) if (secret !== undefined) redactor.add(secret);
}
