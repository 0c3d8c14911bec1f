import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { ConfigurationError } from "@stemma/core/errors";
import { type EncryptionKey, importKey, toKeyCheck } from "./encryption-keys";
import { formatEnvelope, parseEnvelope } from "./envelope";
import { Secret } from "./secret";

/** Place that an encrypted text is bound to: it can be decrypted for no other. */
export interface CiphertextBinding {
	readonly workspaceId: string;
	/** `llm_settings:bedrock`, `secret:<name>` */
	readonly purpose: string;
	/** Address that the credential is sent to. */
	readonly address: string;
}

/** Encrypts with its first key, opens with each of them. */
export interface Keyring {
	/** True where there is no key, so that nothing can be encrypted. */
	readonly isEmpty: boolean;
	/** The first encrypts. */
	readonly ids: readonly string[];
	/** Fingerprints in the order of {@link ids}. */
	readonly fingerprints: readonly KeyFingerprint[];
	/** @throws Error where there is no key: ask {@link isEmpty} first. */
	encrypt(plaintext: Secret, binding: CiphertextBinding): string;
	/**
	 * Decrypts; undefined where no key fits: the text was encrypted with another key, for another binding, or was
	 * changed.
	 */
	decrypt(envelope: string, binding: CiphertextBinding): Secret | undefined;
	/** True where the key that encrypts now has encrypted it, whatever that was called then. */
	isCurrent(envelope: string): boolean;
}

/** Public identification of a key, without the key itself. */
export interface KeyFingerprint {
	readonly id: string;
	/** Another for each key, also where they have the same id. */
	readonly keyCheck: string;
}

interface ImportedKey extends KeyFingerprint {
	readonly key: KeyObject;
}

/** @throws ConfigurationError where two keys have one id. */
export function createKeyring(keys: readonly EncryptionKey[]): Keyring {
	const imported = keys.map(importEncryptionKey);
	const ids = keys.map(({ id }) => id);
	const duplicateId = ids.find((id, index) => ids.indexOf(id) < index);
	if (duplicateId !== undefined) throw duplicateKeyIdError(duplicateId);
	const [first] = imported;
	// A name may have moved on to another key; what the key itself says cannot.
	const byCheck = new Map(imported.map((key) => [key.keyCheck, key.key]));
	return {
		isEmpty: first === undefined,
		ids,
		fingerprints: imported.map(({ id, keyCheck }) => ({ id, keyCheck })),
		encrypt(plaintext, binding) {
			if (first === undefined) throw new Error("There is no encryption key.");
			return encrypt(first, plaintext, binding);
		},
		decrypt(envelope, binding) {
			const parts = parseEnvelope(envelope);
			const key = parts && byCheck.get(parts.keyCheck);
			return parts && key && decrypt(key, parts.ciphertext, toAssociatedData(parts.header, binding));
		},
		isCurrent: (envelope) => first !== undefined && parseEnvelope(envelope)?.keyCheck === first.keyCheck,
	};
}

const duplicateKeyIdError = (id: string): ConfigurationError =>
	new ConfigurationError(`Two encryption keys have the id "${id}".`, {
		hint: 'Give each key in "encryption.keys" an id of its own, and name each key in STEMMA_ENCRYPTION_KEY once.',
	});

function importEncryptionKey(encryptionKey: EncryptionKey): ImportedKey {
	const key = importKey(encryptionKey);
	return { id: encryptionKey.id, keyCheck: toKeyCheck(key), key };
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TAG = { authTagLength: TAG_BYTES };

/** A box is nonce, ciphertext and tag. */
function encrypt({ id, keyCheck, key }: ImportedKey, plaintext: Secret, binding: CiphertextBinding): string {
	// At random, 96 bits meet again only after far more settings than any deployment has (NIST SP 800-38D, 8.3).
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(ALGORITHM, key, nonce, TAG);
	return formatEnvelope(id, keyCheck, (header) => {
		cipher.setAAD(toAssociatedData(header, binding));
		return Buffer.concat([
			nonce,
			cipher.update(plaintext.reveal(), "utf8"),
			cipher.final(),
			cipher.getAuthTag(),
		]);
	});
}

function decrypt(key: KeyObject, ciphertext: Buffer, associated: Buffer): Secret | undefined {
	if (ciphertext.length < NONCE_BYTES + TAG_BYTES) return undefined;
	const decipher = createDecipheriv(ALGORITHM, key, ciphertext.subarray(0, NONCE_BYTES), TAG);
	decipher.setAAD(associated);
	decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
	try {
		const plaintext = [decipher.update(ciphertext.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
		return new Secret(Buffer.concat(plaintext).toString("utf8"));
	} catch {
		return undefined;
	}
}

/** Encodes a binding as associated data. As JSON, no two bindings have the same encoding. */
const toAssociatedData = (header: string, { workspaceId, purpose, address }: CiphertextBinding): Buffer =>
	Buffer.from(JSON.stringify([header, workspaceId, purpose, address]));
