import { randomBytes } from "node:crypto";
import type { KeyRotation } from "@stemma/service";
import { runUntilInterrupted } from "../terminal/interrupt";
import { type JsonOption, print, report } from "../terminal/print";
import { createProgressBar } from "../terminal/progress-bar";
import type { Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";

/** Options of `stemma keys rotate`, which encrypts stored secrets with the newest key of the keyring. */
export interface RotateKeysCommandOptions extends JsonOption {
	readonly data?: string;
	readonly config?: string;
}

const KEY_BYTES = 32;

export function generateKey(terminal: Terminal): void {
	terminal.stdout.write(`${randomBytes(KEY_BYTES).toString("base64")}\n`);
	report(terminal, "note", KEY_NOTE);
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
			reportProblems(terminal, rotation);
			const [first] = configuration.encryption.keys;
			print(terminal, { json }, toWire(rotation), () => describeRotation(rotation, first?.id ?? ""));
			return rotation.undecryptable.length + rotation.failed.length === 0 ? 0 : 1;
		} finally {
			bar.clear();
		}
	});
}

const describeRotation = ({ reencrypted, alreadyCurrent }: KeyRotation, key: string): string =>
	`Re-encrypted ${count(reencrypted, "credential")} with the key "${key}"; ${alreadyCurrent.toLocaleString("en-US")} already used it.\n`;

const toWire = ({ reencrypted, alreadyCurrent, undecryptable, failed }: KeyRotation): object => ({
	resealed: reencrypted,
	already_current: alreadyCurrent,
	undecryptable: undecryptable.map(({ workspaceId, values }) => ({ workspace_id: workspaceId, values })),
	failed: failed.map(({ workspaceId, error: { code, message } }) => ({
		workspace_id: workspaceId,
		code,
		message,
	})),
});

const UNDECRYPTABLE_HINT =
	'They were not changed. Add the key that they were encrypted with to "encryption.keys" and run this again, or let the workspaces set them again.';

function reportProblems(terminal: Terminal, { undecryptable, failed }: KeyRotation): void {
	for (const { workspaceId, values } of undecryptable)
		report(terminal, "failed", `${workspaceId}: no key opens ${count(values, "credential")}`);
	if (undecryptable.length > 0) report(terminal, "hint", UNDECRYPTABLE_HINT);
	for (const { workspaceId, error } of failed) {
		report(terminal, "failed", `${workspaceId}: ${error.message}`);
		report(terminal, "hint", `${error.hint} Then run this again.`);
	}
}
