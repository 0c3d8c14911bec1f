import type { Role } from "@stemma/client";
import { Argument, type Command, Option } from "commander";
import {
	changeRole,
	deleteMember,
	exportMember,
	type InviteOptions,
	inviteMember,
	listMembers,
	removeMember,
} from "../../commands/people/members";
import { listPasskeys, removePasskey } from "../../commands/people/passkeys";
import type { ServiceCommandOptions } from "../../connection/with-service";
import type { Terminal } from "../../terminal/terminal";
import { CONNECTION_NOTES } from "../options/connection-options";
import { addServiceCommands } from "../options/service-command";
import { ROLES } from "./roles";

/** Adds the command `stemma members`, its options and its help. */
export function addMembers(program: Command, terminal: Terminal): void {
	const { group, add } = addServiceCommands(program, {
		name: "members",
		description: "people of a workspace: invite, list, change roles, remove",
		notes: NOTES,
	});
	group.alias("users");
	add("list", "list members, and those who are invited").action((options: ServiceCommandOptions) =>
		listMembers(terminal, options),
	);
	add("invite", "invite a person, or let a member in again; the link is printed once")
		.argument("<email>", "e-mail address of the person")
		.addOption(
			new Option("--role <role>", "what they may do").choices(ROLES).default("viewer" satisfies Role),
		)
		.action((email: string, options: InviteOptions) => inviteMember(terminal, email, options));
	add("role", "give a member another role")
		.argument("<member>", "id (usr_…) or e-mail address")
		.addArgument(new Argument("<role>", "the new role").choices(ROLES))
		.action((member: string, role: Role, options: ServiceCommandOptions) =>
			changeRole(terminal, [member, role], options),
		);
	add("remove", "remove a member, whose sessions end, or revoke an invitation")
		.argument("<member>", "id (usr_…, inv_…) or e-mail address")
		.action((member: string, options: ServiceCommandOptions) => removeMember(terminal, member, options));
	add("passkeys", "list the passkeys of a member")
		.argument("<member>", "id (usr_…) or e-mail address")
		.action((member: string, options: ServiceCommandOptions) => listPasskeys(terminal, member, options));
	add("remove-passkey", "remove a passkey of a member, such as that of a lost device")
		.argument("<passkey>", "id (pk_…)")
		.action((passkey: string, options: ServiceCommandOptions) => removePasskey(terminal, passkey, options));
	add("export", "print what the workspace has about a member, as lines of JSON")
		.argument("<member>", "id (usr_…) or e-mail address")
		.action((member: string, options: ServiceCommandOptions) => exportMember(terminal, member, options));
	add("delete", "delete a member with their conversations, runs, feedback and sessions, for good")
		.argument("<member>", "id (usr_…) or e-mail address")
		.action((member: string, options: ServiceCommandOptions) => deleteMember(terminal, member, options));
}

const NOTES = `Roles: viewer (asks, runs agents), editor (also knowledge, agents, approvals), admin (also settings, credentials, members, usage, audit).
"invite" writes the link to standard output. Stemma sends no mail: send it to the person yourself.

${CONNECTION_NOTES}
They need the scope keys:write, and all scopes of the role.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma members invite ada@example.com --role editor
  stemma members list
  stemma members role ada@example.com admin
  stemma members remove ada@example.com
  stemma members export ada@example.com > ada.jsonl
  stemma members delete ada@example.com`;
