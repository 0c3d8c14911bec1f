import type { A2aPushConfigInput } from "@stemma/client/a2a";
import type { CiphertextBinding, Keyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import type { Redactor } from "../redaction/redactor";

/** What a receiver of push notifications knows its own by. */
export interface PushSecrets {
	readonly token?: string;
	readonly credentials?: string;
}

/** Where the secrets of a push configuration belong. */
export interface PushTarget {
	readonly run_id: string;
	readonly id: string;
	readonly url: string;
}

/** They are sent to one address, for one task. */
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

/** Nothing where no key opens them. */
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
