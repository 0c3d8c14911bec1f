import type { Command } from "commander";
import { deleteSecret, listSecrets, type SetSecretOptions, setSecret } from "../commands/secrets";
import type { ServiceCommandOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import { CONNECTION_NOTES } from "./options/connection-options";
import { addSecretOptions } from "./options/secret-options";
import { addServiceCommands } from "./options/service-command";

/** Adds the command `stemma secrets`, its options and its help. */
export function addSecrets(program: Command, terminal: Terminal): void {
	const { add } = addServiceCommands(program, {
		name: "secrets",
		description: "secrets that tools send, each to only one server",
		notes: NOTES,
	});
	add("list", "list them, but never their values").action((options: ServiceCommandOptions) =>
		listSecrets(terminal, options),
	);
	addSecretOptions(
		add("set", "create a secret, or replace it")
			.argument("<name>", "its name: a-z, 0-9, _ and -")
			.requiredOption("--server <address>", "the only server that it is sent to"),
		"value",
		"value",
	).action((name: string, options: SetSecretOptions) => setSecret(terminal, name, options));
	add("delete", "delete it")
		.argument("<name>", "its name")
		.action((name: string, options: ServiceCommandOptions) => deleteSecret(terminal, name, options));
}

const NOTES = `The value is never an option. At a terminal, --value-stdin asks for it and does not show it. Without either, the stored
value stays, but only for the server that it was stored for.

${CONNECTION_NOTES}
"set" and "delete" need the scope settings:write, "list" settings:read.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma secrets set crm --server https://crm.example/mcp --value-env CRM_TOKEN
  stemma secrets set crm --server https://crm.example/mcp --value-stdin < token.txt
  stemma secrets list`;
