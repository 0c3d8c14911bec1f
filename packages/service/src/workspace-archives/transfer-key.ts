import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { ConfigurationError } from "@stemma/core/errors";
import { type EncryptionKey, findKeyProblem } from "../encryption/encryption-keys";
import { Secret } from "../encryption/secret";

/** Id of the key that credentials are encrypted with in an export. */
export const TRANSFER_KEY_ID = "transfer";

/** Key of an export, and whether its file is new. */
export interface TransferKey {
	readonly key: EncryptionKey;
	readonly isNew: boolean;
}

const KEY_BYTES = 32;

/**
 * Reads the key of an export from a file.
 *
 * @param canCreate - whether a new key is written where there is no such file.
 * @throws ConfigurationError `transfer_key_unusable`
 */
export async function openTransferKey(file: string, canCreate: boolean): Promise<TransferKey> {
	const text = await readFile(file, "utf8").catch((error: unknown) => {
		if (canCreate && error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw unusableError(file, "cannot be read", error);
	});
	if (text === undefined) return { key: await createTransferKey(file), isNew: true };
	const problem = findKeyProblem(text);
	if (problem !== undefined) throw unusableError(file, problem);
	return { key: { id: TRANSFER_KEY_ID, key: new Secret(text.trim()) }, isNew: false };
}

async function createTransferKey(file: string): Promise<EncryptionKey> {
	const text = randomBytes(KEY_BYTES).toString("base64");
	await writeFile(file, `${text}\n`, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
		throw unusableError(file, "cannot be written", error);
	});
	return { id: TRANSFER_KEY_ID, key: new Secret(text) };
}

const unusableError = (file: string, reason: string, cause?: unknown): ConfigurationError =>
	new ConfigurationError(`The file ${file} of the transfer key ${reason}.`, {
		code: "transfer_key_unusable",
		hint: "Name the file that stemma export wrote with --transfer-key, or one that does not exist yet for an export.",
		cause,
	});
