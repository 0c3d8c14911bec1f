import { ConfigurationError } from "@stemma/core/errors";
import { type Command, Option } from "commander";

/**
 * Adds `--<name>-env` and `--<name>-stdin`, of which one may be given, and refuses a secret on the command line itself.
 *
 * @param label - for help and messages: `API key`.
 */
export const addSecretOptions = (
	command: Command,
	name: "api-key" | "value" | "token",
	label: string,
): Command =>
	command
		.addOption(
			new Option(`--${name}-env <name>`, `the environment variable that has the ${label}`).conflicts(
				toAttribute(`${name}-stdin`),
			),
		)
		.addOption(
			new Option(`--${name}-stdin`, `read the ${label} from standard input, without showing it`).default(
				false,
			),
		)
		// Commander's own message would repeat what was given.
		.addOption(
			new Option(`--${name} <secret>`).hideHelp().argParser(() => {
				throw new ConfigurationError(
					`The ${label} is not an option: it would stay in the shell's history and in the list of processes.`,
					{
						hint: `Pipe it in with --${name}-stdin, or name the environment variable that has it: --${name}-env <name>. If others can see this terminal or its history, replace it.`,
					},
				);
			}),
		);

const toAttribute = (flag: string): string =>
	flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
