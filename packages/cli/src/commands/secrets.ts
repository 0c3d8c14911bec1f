import type { WorkspaceSecret } from "@stemma/client";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, withService } from "../connection/with-service";
import { readSecret } from "../terminal/input/read-secret";
import { sanitizeLine, type Terminal } from "../terminal/terminal";
import { formatJson } from "../terminal/text/format-json";
import { formatTable } from "../terminal/text/table";

/** Options of `stemma secrets`. */
export interface SecretsCommandOptions extends ConnectionOptions {
	readonly json: boolean;
}

export interface SetSecretOptions extends SecretsCommandOptions {
	/** The only address that it is sent to. */
	readonly server: string;
	/** The name of the variable that has the value. */
	readonly valueEnv?: string;
	readonly valueStdin: boolean;
}

export async function listSecrets(terminal: Terminal, options: SecretsCommandOptions): Promise<void> {
	const all = await withService(options, ({ workspaceSecrets }) =>
		listAll(workspaceSecrets.list(FULL_PAGES)),
	);
	const text = options.json ? formatJson(all) : formatTable([HEADER, ...all.map(toCells)]);
	terminal.stdout.write(`${text.trimEnd()}\n`);
}

const HEADER = ["NAME", "SENT TO", "SET", "BY", "STATUS"];

const toCells = ({ name, server_url, updated_at, updated_by, status }: WorkspaceSecret): string[] => [
	name,
	sanitizeLine(server_url),
	updated_at.slice(0, 10),
	updated_by,
	status === "ok" ? "ok" : "no encryption key of the service decrypts it: set it again",
];

export async function setSecret(terminal: Terminal, name: string, options: SetSecretOptions): Promise<void> {
	const value = await readValue(terminal, options);
	const saved = await withService(options, ({ workspaceSecrets }) =>
		withHints(HINTS, () => workspaceSecrets.set(name, { server_url: options.server, ...value })),
	);
	const text = `Saved ${saved.name}. It is sent only to ${sanitizeLine(saved.server_url)}.`;
	terminal.stdout.write(`${options.json ? formatJson(saved) : text}\n`);
}

const HINTS = {
	value_required: "Pass it with --value-stdin or --value-env <name>.",
	secret_not_found: '"stemma secrets list" lists them.',
};

/** Reads the value of a secret; `{}` if the stored value is kept. */
async function readValue(
	terminal: Terminal,
	{ valueEnv, valueStdin }: SetSecretOptions,
): Promise<{ readonly value?: string }> {
	if (valueEnv !== undefined) return { value: await readSecret(terminal, { variable: valueEnv }, "value") };
	return valueStdin ? { value: await readSecret(terminal, "input", "value") } : {};
}

export async function deleteSecret(
	terminal: Terminal,
	name: string,
	options: SecretsCommandOptions,
): Promise<void> {
	const deleted = await withService(options, ({ workspaceSecrets }) =>
		withHints(HINTS, () => workspaceSecrets.delete(name)),
	);
	terminal.stdout.write(options.json ? `${formatJson(deleted)}\n` : `Deleted ${name}.\n`);
}
