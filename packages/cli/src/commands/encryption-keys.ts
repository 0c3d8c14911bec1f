import { randomBytes } from "node:crypto";
import type { KeyRotation } from "@stemma/service";
import { runUntilInterrupted } from "../terminal/interrupt";
import { createProgressBar } from "../terminal/progress-bar";
import { style, type Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import { formatJson } from "../terminal/text/format-json";

/** Options of `stemma keys rotate`, which encrypts stored secrets with the newest key of the keyring. */
export interface RotateKeysCommandOptions {
	readonly data?: string;
	readonly config?: string;
	readonly json: boolean;
}

const KEY_BYTES = 32;

/** Prints a new encryption key. */
export function generateKey({ stdout, stderr }: Terminal): void {
	stdout.write(`${randomBytes(KEY_BYTES).toString("base64")}\n`);
	stderr.write(`${style(stderr, "yellow", "note:")} ${KEY_NOTE}\n`);
}

const KEY_NOTE = `The key is shown only once. Store it where you keep secrets: without it, nothing that it has encrypted can be decrypted.
Set STEMMA_ENCRYPTION_KEY to it, or name it in "encryption.keys" of the settings file, and restart the service. If there is already
a key, put this one before it, restart, and run "stemma keys rotate". Then remove the old one.`;

const STOPPED =
	"Stopped. What was already encrypted with the new key stays so. Run the same command again to continue.";

/** Seals all credentials of a data folder with the first encryption key. Returns the exit code. */
export function rotateEncryptionKeys(
	terminal: Terminal,
	{ data, config, json }: RotateKeysCommandOptions,
): Promise<number> {
	return runUntilInterrupted(terminal, STOPPED, async (signal) => {
		const { readConfiguration, rotateKeys } = await import("@stemma/service");
		const options = data === undefined ? [] : [{ source: "--data", path: ["data"], value: data }];
		const configuration = await readConfiguration({ file: config, options });
		const bar = createProgressBar(terminal, "encrypting");
		try {
			const rotation = await rotateKeys(configuration, { signal, onProgress: bar.update });
			bar.clear();
			reportUndecryptable(terminal, rotation);
			reportFailed(terminal, rotation);
			const [first] = configuration.encryption.keys;
			terminal.stdout.write(`${json ? toJson(rotation) : describeRotation(rotation, first?.id ?? "")}\n`);
			return rotation.undecryptable.length + rotation.failed.length === 0 ? 0 : 1;
		} finally {
			bar.clear();
		}
	});
}

const describeRotation = ({ reencrypted, alreadyCurrent }: KeyRotation, key: string): string =>
	`Re-encrypted ${count(reencrypted, "credential")} with the key "${key}"; ${alreadyCurrent.toLocaleString("en-US")} already used it.`;

const toJson = ({ reencrypted, alreadyCurrent, undecryptable, failed }: KeyRotation): string =>
	formatJson({
		resealed: reencrypted,
		already_current: alreadyCurrent,
		undecryptable: undecryptable.map(({ workspaceId, values }) => ({ workspace_id: workspaceId, values })),
		failed: failed.map(({ workspaceId, error: { code, message } }) => ({
			workspace_id: workspaceId,
			code,
			message,
		})),
	});

function reportUndecryptable({ stderr }: Terminal, { undecryptable }: KeyRotation): void {
	for (const { workspaceId, values } of undecryptable)
		stderr.write(
			`${style(stderr, "red", "failed:")} ${workspaceId}: no key opens ${count(values, "credential")}\n`,
		);
	if (undecryptable.length > 0)
		stderr.write(
			`${style(stderr, "dim", "hint:")}  They were not changed. Add the key that they were encrypted with to "encryption.keys" and run this again, or let the workspaces set them again.\n`,
		);
}

function reportFailed({ stderr }: Terminal, { failed }: KeyRotation): void {
	for (const { workspaceId, error } of failed) {
		stderr.write(`${style(stderr, "red", "failed:")} ${workspaceId}: ${error.message}\n`);
		stderr.write(`${style(stderr, "dim", "hint:")}  ${error.hint} Then run this again.\n`);
	}
}
