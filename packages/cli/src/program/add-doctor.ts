import type { Command } from "commander";
import { type DoctorCommandOptions, doctor } from "../commands/doctor";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";

/** Adds the command `stemma doctor`, its options and its help. */
export function addDoctor(program: Command, terminal: Terminal, result: CommandResult): void {
	program
		.command("doctor")
		.description(
			"find what is wrong: Node, versions, port, keys, models, clock, disk, and the data folder of a service",
		)
		.option("--data <folder>", "the folder (default: from the settings, else ./stemma-data)")
		.option("--config <file>", "settings (default: ./stemma.config.json, if it exists)")
		.option("--quick", "check only the structure of files", false)
		.option("--offline", "ask no model endpoint, so nothing is known about its key and the clock", false)
		.option("--json", "print JSON", false)
		.addHelpText("after", `\n${NOTES}`)
		.action(async (options: DoctorCommandOptions) => {
			result.exitCode = await doctor(terminal, options);
		});
}

const NOTES = `It changes nothing, and may run while the service runs. Configured endpoints of models are asked for their list of models, which
costs nothing. Files of the data folder are checked for damage, loss, permissions and space; encrypted credentials if the settings
or the environment have the encryption keys. Without a data folder yet, it checks whether a first start would succeed.

Exit codes: 0 no errors (there may be warnings), 1 errors or wrong input.

Examples:
  stemma doctor
  stemma doctor --data ./stemma-data
  stemma doctor --data /var/lib/stemma --config /etc/stemma.json --json`;
