import { type Command, Option } from "commander";
import {
	type CreateClientOptions,
	createClient,
	listClients,
	revokeClient,
	rotateClient,
} from "../commands/clients";
import type { ServiceCommandOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import { CONNECTION_NOTES } from "./options/connection-options";
import { collectScopes } from "./options/scope-options";
import { addServiceCommands } from "./options/service-command";

/** Adds the command `stemma clients`, its options and its help. */
export function addClients(program: Command, terminal: Terminal): void {
	const { add } = addServiceCommands(program, {
		name: "clients",
		description: "credentials of servers: client ids and secrets",
		notes: NOTES,
	});
	add("list", "list them").action((options: ServiceCommandOptions) => listClients(terminal, options));
	add("create", "create a client; its secret is printed once")
		.argument("[name]", "its name", "command line")
		.addOption(
			new Option("--scope <scope>", "what it may do; repeat it for several scopes")
				.argParser(collectScopes)
				.default([], "all that you have, except deployment:write"),
		)
		.addOption(
			new Option("--scopes <scopes>", "the same, separated by commas; 'all' for every scope")
				.argParser(collectScopes)
				.default([], "none"),
		)
		.option(
			"--workspace <workspace>",
			"the workspace of the data folder that it belongs to, by id or name; needs --data",
		)
		.action((name: string, options: CreateClientOptions) => createClient(terminal, name, options));
	add("rotate", "create a new secret; the old one stops working at once")
		.argument("<id>", "cl_…")
		.action((id: string, options: ServiceCommandOptions) => rotateClient(terminal, id, options));
	add("revoke", "revoke it and its tokens")
		.argument("<id>", "cl_…")
		.action((id: string, options: ServiceCommandOptions) => revokeClient(terminal, id, options));
}

const NOTES = `"create" and "rotate" write the address of the service, id and secret to standard output, as lines for a shell or an .env file.

${CONNECTION_NOTES}
They need the scope keys:write.

"create" with --data needs neither a service nor credentials: the owner of the data folder always has access. The client is written
into the folder, also while a service runs on it. It belongs to the workspace at --workspace, else to the oldest one. It has all scopes
except deployment:write, or those at --scope. The address is written if a service runs on the folder, or if --url names one.

You cannot rotate or revoke a client with a scope that you lack, nor the last client that manages clients with its scopes: create
another one first.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma clients list
  stemma clients create "runtime in production" --scope agents:run --scope ask > runtime.env
  stemma clients create "way back in" --data ./stemma-data --scopes all
  stemma clients create "operator" --data ./stemma-data --scopes deployment:write
  stemma clients create "operator" --data ./stemma-data --workspace Billing --scopes deployment:write
  stemma clients rotate cl_01jc0m…`;
