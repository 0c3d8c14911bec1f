import type { A2aPushConfigInput } from "@stemma/client/a2a";
import type { Keyring, SealBinding } from "../sealing/keyring";
import type { Redactor } from "../sealing/redactor";
import { Secret } from "../sealing/secret";

/** What a receiver of push notifications knows its own by. */
export interface PushSecrets {
	readonly token?: string;
	readonly credentials?: string;
}

/** Where the secrets of a push configuration belong. */
export interface PushPlace {
	readonly run_id: string;
	readonly id: string;
	readonly url: string;
}

/** They are sent to one address, for one task. */
export const toPushBinding = (workspaceId: string, { run_id, id, url }: PushPlace): SealBinding => ({
	workspaceId,
	purpose: `a2a_push:${run_id}:${id}`,
	address: url,
});

export interface PushSealing {
	readonly workspaceId: string;
	readonly keyring: Keyring;
	readonly redactor: Pick<Redactor, "add">;
}

/** `null` where there is nothing to seal. */
export function sealPushSecrets(
	{ token, authentication }: A2aPushConfigInput,
	place: PushPlace,
	{ workspaceId, keyring, redactor }: PushSealing,
): string | null {
	const credentials = authentication?.credentials;
	const secrets: PushSecrets = {
		...(token !== undefined && { token }),
		...(credentials !== undefined && { credentials }),
	};
	if (Object.keys(secrets).length === 0) return null;
	tell(redactor, secrets);
	return keyring.seal(new Secret(JSON.stringify(secrets)), toPushBinding(workspaceId, place));
}

/** Nothing where no key opens them. */
export function openPushSecrets(
	place: PushPlace & { readonly secrets: string | null },
	{ workspaceId, keyring, redactor }: PushSealing,
): PushSecrets | undefined {
	if (place.secrets === null) return {};
	const opened = keyring.open(place.secrets, toPushBinding(workspaceId, place));
	if (opened === undefined) return undefined;
	// Sealed by this file alone.
	const secrets = JSON.parse(opened.reveal()) as PushSecrets;
	tell(redactor, secrets);
	return secrets;
}

function tell(redactor: Pick<Redactor, "add">, { token, credentials }: PushSecrets): void {
	for (const secret of [token, credentials]) if (secret !== undefined) redactor.add(secret);
}
