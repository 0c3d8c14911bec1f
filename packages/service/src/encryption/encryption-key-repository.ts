import type { KeyFingerprint } from "./keyring";

/** Keys of the service that was started last, in the store of the deployment; the first encrypts. */
export interface EncryptionKeyRepository {
	list(): Promise<readonly KeyFingerprint[]>;
	replaceAll(keys: readonly KeyFingerprint[]): Promise<void>;
}
