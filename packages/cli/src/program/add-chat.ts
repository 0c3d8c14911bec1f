import { type Command, Option } from "commander";
import { type ChatCommandOptions, chat } from "../commands/chat";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";
import { addConnectionOptions, CONNECTION_NOTES } from "./options/connection-options";
import { collect } from "./options/option-values";

/** Adds the command `stemma chat`, its options and its help. */
export function addChat(program: Command, terminal: Terminal, result: CommandResult): void {
	const command = program
		.command("chat")
		.description("talk with an agent or with documents, in a thread that the service keeps")
		.option("--thread <id>", "continue this thread (thr_…); if omitted, a new one is started")
		.option("--agent <slug or id>", "the agent that answers (default: the one of the thread)")
		.addOption(
			new Option(
				"--kb <slug or id>",
				"the knowledge base that answers; repeat it for several, omit it for all",
			)
				.argParser(collect)
				.default([], "all"),
		);
	addConnectionOptions(command)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (options: ChatCommandOptions) => {
			result.exitCode = await chat(terminal, options);
		});
}

const NOTES = `Each line is a message; what was said before comes from the thread. Ctrl-D ends.

${CONNECTION_NOTES}

Exit codes: 0 all messages were answered, 1 failed or wrong input, 130 stopped with Ctrl-C.

Examples:
  stemma chat --kb handbook
  stemma chat --agent support-desk
  stemma chat --thread thr_01kc4wxm2zdj3q5e8h9g7f6a5b
  echo "How do I claim expenses?" | stemma chat --kb handbook`;
