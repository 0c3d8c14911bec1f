import { type Command, Option } from "commander";
import { type LoginLinkCommandOptions, loginLink } from "../../commands/people/login-link";
import type { Terminal } from "../../terminal/terminal";
import { ROLES } from "./roles";

/** Adds the command `stemma login-link`, its options and its help. */
export function addLoginLink(program: Command, terminal: Terminal): void {
	program
		.command("login-link")
		.description("print a link that signs a person in to the pages of the service")
		.option(
			"--data <folder>",
			"the data folder of the service (default: STEMMA_DATA_FOLDER, else ./stemma-data)",
		)
		.option("--email <address>", "who signs in (default: whoever opens the link)")
		.addOption(new Option("--role <role>", "role of a new member (default: admin)").choices(ROLES))
		.option("--workspace <workspace>", "its id or name (default: the oldest)")
		.option("--operator", "let the person create, rename and delete workspaces", false)
		.option("--url <url>", "address of the service (default: that of the one that runs on the folder)")
		.option("--json", "print JSON", false)
		.addHelpText("after", `\n${NOTES}`)
		.action((options: LoginLinkCommandOptions) => loginLink(terminal, options));
}

const NOTES = `It needs neither a service nor credentials: the owner of the data folder always has access. The link is written into the folder, also
while a service runs on it. It makes the first admin of a workspace, and lets people in again who have lost their session. An active
member gets the role at --role if it is higher. With --operator, the page Workspaces is there in the session that the link begins, and in
those of passkeys that are added in it. The link of the first start is like that.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma login-link
  stemma login-link --data /var/lib/stemma --email ada@example.com --url https://stemma.example`;
