import { type Command, Option } from "commander";
import { type DevCommandOptions, dev } from "../../commands/project/dev";
import type { Terminal } from "../../terminal/terminal";
import { parseWholeNumber } from "../options/option-values";

/** Adds the command `stemma dev`, its options and its help. */
export function addDev(program: Command, terminal: Terminal): void {
	program
		.command("dev")
		.description("serve a project while you work on it: service, agents and pages on one port")
		.argument("[folder]", "the project", ".")
		.option(
			"--data <folder>",
			"the folder for all data (default: from the settings, else stemma-data in the project)",
		)
		.option("--config <file>", "settings (default: stemma.config.json of the project, if it exists)")
		.addOption(
			new Option(
				"--port <number>",
				"the port; 0 for any that is free (default: from the settings, else 4000)",
			).argParser(parseWholeNumber(0, 65_535)),
		)
		.addHelpText("after", `\n${NOTES}`)
		.action((folder: string, options: DevCommandOptions) => dev(terminal, folder, options));
}

const NOTES = `A project has these folders; only agents is needed:
  agents     agent files, by their names: POST /run/<agent>
  tools      modules that export \`tools\`, which agents call by name
  documents  becomes the knowledge base "documents"
  web        pages, at /web/; modules of installed packages are at /web/modules/
What is saved in agents, tools and documents applies to the next run, and mistakes are reported. It answers this machine alone.

Examples:
  stemma init my-desk
  stemma dev my-desk`;
