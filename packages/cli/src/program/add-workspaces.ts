import type { Command } from "commander";
import {
	createWorkspace,
	type DeleteWorkspaceOptions,
	deleteWorkspace,
	listWorkspaces,
	renameWorkspace,
	type WorkspaceCommandOptions,
} from "../commands/workspaces";
import type { Terminal } from "../terminal/terminal";
import { addConnectionOptions, CONNECTION_NOTES } from "./options/connection-options";

/** Adds the command `stemma workspaces`, its options and its help. */
export function addWorkspaces(program: Command, terminal: Terminal): void {
	const workspaces = program
		.command("workspaces")
		.description("the workspaces of a deployment: create, list, rename, delete")
		.addHelpText("after", `\n${NOTES}`);
	addCommand(workspaces, "create", "create a workspace; its first credentials are printed once")
		.argument("<name>", "its name, which must be unique")
		.action((name: string, options: WorkspaceCommandOptions) => createWorkspace(terminal, name, options));
	addCommand(workspaces, "list", "list them").action((options: WorkspaceCommandOptions) =>
		listWorkspaces(terminal, options),
	);
	addCommand(workspaces, "rename", "give it another name")
		.argument("<workspace>", "its id (ws_…) or name")
		.argument("<name>", "the new name")
		.action((workspace: string, name: string, options: WorkspaceCommandOptions) =>
			renameWorkspace(terminal, [workspace, name], options),
		);
	addCommand(workspaces, "delete", "delete it with everything in it, permanently")
		.argument("<workspace>", "its id (ws_…) or name")
		.option("--yes", "do not ask", false)
		.action((workspace: string, options: DeleteWorkspaceOptions) =>
			deleteWorkspace(terminal, workspace, options),
		);
}

const addCommand = (workspaces: Command, name: string, description: string): Command =>
	addConnectionOptions(
		workspaces.command(name).description(description).option("--json", "print JSON", false),
	).addHelpText("after", `\n${NOTES}`);

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
