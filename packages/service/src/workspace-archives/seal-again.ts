import { ConfigurationError } from "@stemma/core/errors";
import type { CiphertextRepository } from "../encryption/ciphertext-repository";
import type { Keyring } from "../encryption/keyring";

/**
 * Encrypts all credentials of a workspace with the first key of another keyring.
 *
 * @throws ConfigurationError `credential_undecryptable` where one cannot be opened.
 */
export async function sealAgain(
	ciphertexts: CiphertextRepository,
	workspaceId: string,
	from: Keyring,
	to: Keyring,
): Promise<number> {
	const found = await ciphertexts.list(workspaceId);
	for (const ciphertext of found) {
		const plain = from.decrypt(ciphertext.envelope, ciphertext.binding);
		if (plain === undefined) throw undecryptableError();
		await ciphertexts.replace(ciphertext, to.encrypt(plain, ciphertext.binding));
	}
	return found.length;
}

const undecryptableError = (): ConfigurationError =>
	new ConfigurationError("No key decrypts the encrypted credentials of the workspace.", {
		code: "credential_undecryptable",
		hint: "An export needs the encryption keys of the service in its settings, an import the transfer key of its export. Or leave the credentials out with --without-secrets.",
	});
