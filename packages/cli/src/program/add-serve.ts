import { type Command, Option } from "commander";
import { type ServeCommandOptions, serve } from "../commands/serve";
import type { Terminal } from "../terminal/terminal";
import { parseWholeNumber } from "./options/option-values";

/** Adds the command `stemma serve`, its options and its help. */
export function addServe(program: Command, terminal: Terminal): void {
	program
		.command("serve")
		.description("start the service: knowledge bases, answers, agents and keys over HTTP")
		.option("--data <folder>", "the folder for all data (default: ./stemma-data)")
		.option("--config <file>", "settings (default: ./stemma.config.json, if it exists)")
		.option("--host <address>", "the address to listen on (default: 127.0.0.1, only this machine)")
		.addOption(
			new Option(
				"--port <number>",
				"the port to listen on; 0 for any that is free (default: 4000)",
			).argParser(parseWholeNumber(0, 65_535)),
		)
		.option("--print-config", "print all settings, secrets masked, and exit", false)
		.option(
			"--delete-undecryptable-credentials",
			"delete the credentials of workspaces that no encryption key decrypts, then start",
			false,
		)
		.addHelpText("after", `\n${NOTES}`)
		.action((options: ServeCommandOptions) => serve(terminal, options));
}

const NOTES = `The first start creates a workspace and its credentials, in first-credentials.json of the data folder. Options override the
environment (STEMMA_…), which overrides the settings file. The log goes to standard output, a line of JSON for each entry.

Ctrl-C or SIGTERM: no new requests, and active ones may finish; a second signal stops at once.
Exit codes: 0 stopped, 1 could not start, 130 or 143 stopped at once, by Ctrl-C or SIGTERM.

Examples:
  stemma serve
  stemma serve --data /var/lib/stemma --host 0.0.0.0 --port 8080
  STEMMA_CHAT_BASE_URL=http://127.0.0.1:11434/v1 STEMMA_CHAT_MODEL=llama3.2 stemma serve`;
