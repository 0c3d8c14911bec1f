import { type Command, Option } from "commander";
import {
	generateKey,
	type RotateKeysCommandOptions,
	rotateEncryptionKeys,
} from "../commands/encryption-keys";
import { type CreateKeyOptions, createKey, listKeys, revokeKey } from "../commands/keys";
import type { ServiceCommandOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";
import { CONNECTION_NOTES } from "./options/connection-options";
import { collect, parseWholeNumber } from "./options/option-values";
import { addServiceCommands } from "./options/service-command";

/** Adds the command `stemma keys`, its options and its help. */
export function addKeys(
	program: Command,
	terminal: Terminal,
	result: CommandResult = { exitCode: 0, file: undefined },
): void {
	const { group, add } = addServiceCommands(program, {
		name: "keys",
		description: "client keys of browsers and phones; the encryption keys of a service",
		notes: NOTES,
	});
	add("list", "list them").action((options: ServiceCommandOptions) => listKeys(terminal, options));
	addCreateOptions(add("create", "make one; it is printed once")).action(
		(name: string, options: CreateKeyOptions) => createKey(terminal, name, options),
	);
	add("revoke", "revoke it")
		.argument("<id>", "ck_…")
		.action((id: string, options: ServiceCommandOptions) => revokeKey(terminal, id, options));
	addEncryptionKeys(group, terminal, result);
}

function addEncryptionKeys(keys: Command, terminal: Terminal, result: CommandResult): void {
	keys
		.command("generate")
		.description("print a new encryption key")
		.action(() => generateKey(terminal));
	keys
		.command("rotate")
		.description(
			"encrypt all credentials of workspaces with the first encryption key, also while the service runs",
		)
		.option("--data <folder>", "the data folder of the service (default: ./stemma-data)")
		.option("--config <file>", "settings of the service (default: ./stemma.config.json, if it exists)")
		.option("--json", "print what was done as one JSON object", false)
		.addHelpText("after", `\n${ROTATE_NOTES}`)
		.action(async (options: RotateKeysCommandOptions) => {
			result.exitCode = await rotateEncryptionKeys(terminal, options);
		});
}

const ROTATE_NOTES = `To replace an encryption key: create a new one, put it before the old one in "encryption.keys" (or in STEMMA_ENCRYPTION_KEY, with
a comma between), restart the service, run this command, and remove the old key. If it is interrupted, nothing is lost: run it again to
continue. It is refused while a service runs on the folder that does not encrypt with the new key.

Exit codes: 0 everything is encrypted with the first key, 1 some could not be decrypted or wrong input, 130 stopped with Ctrl-C.

Examples:
  stemma keys generate
  stemma keys rotate --data /var/lib/stemma --config /etc/stemma.json`;

const addCreateOptions = (create: Command): Command =>
	create
		.argument("<name>", "its name")
		.addOption(repeatableOption("--origin <origin>", "a page that may use it: https://app.example"))
		.option("--native", "phones may use it", false)
		.addOption(repeatableOption("--agent <id or slug>", "an agent that it may run").default([], "all"))
		.addOption(repeatableOption("--kb <slug or id>", "a knowledge base that it may ask").default([], "all"))
		.addOption(
			new Option("--requests-per-minute <number>", "maximum requests in a minute (default: 60)").argParser(
				parseWholeNumber(1, 1_000_000),
			),
		)
		.addOption(
			new Option(
				"--tokens-per-day <number>",
				"maximum tokens in a day, input and output (default: 200,000)",
			).argParser(parseWholeNumber(1, 1_000_000_000_000)),
		)
		.option("--models", "it may call chat/completions, with the default model", false)
		.option("--trace", "its runs show everything, not only the answer", false)
		.addOption(
			new Option(
				"--env <prefix>",
				"print the address and the key as lines of an .env file: VITE_ gives VITE_STEMMA_BASE_URL and VITE_STEMMA_CLIENT_KEY",
			).conflicts("json"),
		);

const repeatableOption = (flags: string, description: string): Option =>
	new Option(flags, `${description}; repeat it for several`).argParser(collect).default([], "none");

const NOTES = `"create" writes only the key to standard output; with --env also the address of the service.

${CONNECTION_NOTES}
They need the scope keys:write.

Exit codes: 0 done, 1 failed or wrong input.

Examples:
  stemma keys create "help page" --origin https://app.example --kb handbook
  stemma keys create "vite page" --origin http://localhost:5173 --env VITE_ > .env
  stemma keys create "phone app" --native --agent support-desk --requests-per-minute 20
  stemma keys list --json
  stemma keys generate`;
