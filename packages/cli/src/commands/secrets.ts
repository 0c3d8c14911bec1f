import type { WorkspaceSecret } from "@stemma/client";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { withHints } from "../connection/with-hints";
import { type ServiceCommandOptions, withService } from "../connection/with-service";
import { readSecret } from "../terminal/input/read-secret";
import { print, printTable } from "../terminal/print";
import { sanitizeLine, type Terminal } from "../terminal/terminal";

/** Options of `stemma secrets set`. */
export interface SetSecretOptions extends ServiceCommandOptions {
	/** The only address that it is sent to. */
	readonly server: string;
	/** The name of the variable that has the value. */
	readonly valueEnv?: string;
	readonly valueStdin: boolean;
}

export async function listSecrets(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const all = await withService(options, ({ workspaceSecrets }) =>
		listAll(workspaceSecrets.list(FULL_PAGES)),
	);
	printTable(terminal, options, all, { header: ["NAME", "SENT TO", "SET", "BY", "STATUS"], toCells });
}

const toCells = ({ name, server_url, updated_at, updated_by, status }: WorkspaceSecret): string[] => [
	name,
	server_url,
	updated_at.slice(0, 10),
	updated_by,
	status === "ok" ? "ok" : "no encryption key of the service decrypts it: set it again",
];

export async function setSecret(terminal: Terminal, name: string, options: SetSecretOptions): Promise<void> {
	const value = await readValue(terminal, options);
	const saved = await withService(options, ({ workspaceSecrets }) =>
		withHints(HINTS, () => workspaceSecrets.set(name, { server_url: options.server, ...value })),
	);
	const text = `Saved ${saved.name}. It is sent only to ${sanitizeLine(saved.server_url)}.\n`;
	print(terminal, options, saved, () => text);
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
	options: ServiceCommandOptions,
): Promise<void> {
	const deleted = await withService(options, ({ workspaceSecrets }) =>
		withHints(HINTS, () => workspaceSecrets.delete(name)),
	);
	print(terminal, options, deleted, () => `Deleted ${name}.\n`);
}
