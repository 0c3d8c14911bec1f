import type { WorkspaceSecret } from "@stemma/client";
import { listAll, WHOLE_PAGES } from "../connection/list-all";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, withService } from "../connection/with-service";
import { formatJson } from "../terminal/format-json";
import { readSecret } from "../terminal/read-secret";
import { formatTable } from "../terminal/table";
import { type Terminal, toShownLine } from "../terminal/terminal";

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
		listAll(workspaceSecrets.list(WHOLE_PAGES)),
	);
	const text = options.json ? formatJson(all) : formatTable([HEADER, ...all.map(toCells)]);
	terminal.stdout.write(`${text.trimEnd()}\n`);
}

const HEADER = ["NAME", "SENT TO", "SET", "BY", "STATUS"];

const toCells = ({ name, server_url, updated_at, updated_by, status }: WorkspaceSecret): string[] => [
	name,
	toShownLine(server_url),
	updated_at.slice(0, 10),
	updated_by,
	status === "ok" ? "ok" : "no encryption key of the service opens it: set it again",
];

export async function setSecret(terminal: Terminal, name: string, options: SetSecretOptions): Promise<void> {
	const value = await readValue(terminal, options);
	const saved = await withService(options, ({ workspaceSecrets }) =>
		withHints(HINTS, () => workspaceSecrets.set(name, { server_url: options.server, ...value })),
	);
	const text = `Saved ${saved.name}. It is sent to ${toShownLine(saved.server_url)} alone.`;
	terminal.stdout.write(`${options.json ? formatJson(saved) : text}\n`);
}

const HINTS = {
	value_required: "Give it with --value-stdin or --value-env <name>.",
	secret_not_found: '"stemma secrets list" lists them.',
};

/** Nothing where the value that is stored stays. */
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
