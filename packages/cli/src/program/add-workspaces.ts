import type { Command } from "commander";
import {
	createWorkspace,
	type DeleteWorkspaceOptions,
	deleteWorkspace,
	listWorkspaces,
	renameWorkspace,
} from "../commands/workspaces";
import type { ServiceCommandOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import { CONNECTION_NOTES } from "./options/connection-options";
import { addServiceCommands } from "./options/service-command";

/** Adds the command `stemma workspaces`, its options and its help. */
export function addWorkspaces(program: Command, terminal: Terminal): void {
	const { add } = addServiceCommands(program, {
		name: "workspaces",
		description: "the workspaces of a deployment: create, list, rename, delete",
		notes: NOTES,
	});
	add("create", "create a workspace; its first credentials are printed once")
		.argument("<name>", "its name, which must be unique")
		.action((name: string, options: ServiceCommandOptions) => createWorkspace(terminal, name, options));
	add("list", "list them").action((options: ServiceCommandOptions) => listWorkspaces(terminal, options));
	add("rename", "give it another name")
		.argument("<workspace>", "its id (ws_…) or name")
		.argument("<name>", "the new name")
		.action((workspace: string, name: string, options: ServiceCommandOptions) =>
			renameWorkspace(terminal, [workspace, name], options),
		);
	add("delete", "delete it with everything in it, permanently")
		.argument("<workspace>", "its id (ws_…) or name")
		.option("--yes", "do not ask", false)
		.action((workspace: string, options: DeleteWorkspaceOptions) =>
			deleteWorkspace(terminal, workspace, options),
		);
}

const NOTES = `"create" writes the address of the service and the new workspace's first client and client key to standard output, as lines for
a shell or an .env file.

${CONNECTION_NOTES}
They need the scope deployment:write, which gives no access to the contents of workspaces. The first client of a new deployment has it.
For older data folders: stemma clients create --data <folder> --scopes deployment:write

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma workspaces create "Billing" > billing.env
  stemma workspaces list
  stemma workspaces rename Billing Accounting
  stemma workspaces delete Accounting`;
