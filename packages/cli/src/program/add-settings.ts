import { type Command, Option } from "commander";
import {
	clearSettings,
	type EndpointCommandOptions,
	listProviders,
	setSettings,
	showSettings,
	showStages,
	testSettings,
} from "../commands/settings";
import type { ServiceCommandOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";
import { CONNECTION_NOTES } from "./options/connection-options";
import { addSecretOptions } from "./options/secret-options";
import { addServiceCommands } from "./options/service-command";

/** Adds the command `stemma settings`, its options and its help. */
export function addSettings(program: Command, terminal: Terminal, result: CommandResult): void {
	const { add } = addServiceCommands(program, {
		name: "settings",
		description: "which model answers in this workspace, and on whose key",
		notes: NOTES,
	});
	add("show", "print what is set, but never the key").action((options: ServiceCommandOptions) =>
		showSettings(terminal, options),
	);
	addEndpointOptions(add("set", "set endpoint, model and key")).action((options: EndpointCommandOptions) =>
		setSettings(terminal, options),
	);
	addEndpointOptions(
		add("test", "make one real, tiny call with the stored settings, or with the given ones"),
	).action(async (options: EndpointCommandOptions) => {
		result.exitCode = await testSettings(terminal, options);
	});
	add("clear", "go back to the deployment's model").action((options: ServiceCommandOptions) =>
		clearSettings(terminal, options),
	);
	add("stages", "print which model each stage would call, who would pay, and why").action(
		async (options: ServiceCommandOptions) => {
			result.exitCode = await showStages(terminal, options);
		},
	);
	add("providers", "list the values of --vendor").action((options: ServiceCommandOptions) =>
		listProviders(terminal, options),
	);
}

const addEndpointOptions = (command: Command): Command =>
	addSecretOptions(
		command
			.addOption(
				new Option("--vendor <id>", "provider and address, from the catalogue").conflicts("provider"),
			)
			.option("--provider <format>", "the API format of the endpoint: openai-compatible, bedrock")
			.option("--base-url <address>", "of the endpoint; for bedrock it contains the region")
			.option("--model <id>", "as the endpoint names it"),
		"api-key",
		"API key",
	).addOption(
		new Option("--no-api-key", "use no key; a stored key is removed").conflicts(["apiKeyEnv", "apiKeyStdin"]),
	);

const NOTES = `The key is never an option. At a terminal, --api-key-stdin asks for it and does not show it. Without these options, the stored
key stays, but only for the provider and address that it was stored for. Other values that you omit stay as they are stored, unless you
name another provider or vendor; "test" saves nothing. A workspace with its own key pays only for what that key is used for.

${CONNECTION_NOTES}
"set", "test" and "clear" need the scope settings:write, the others settings:read.

Exit codes: 0 done, 1 failed or wrong input; a test that fails and stages that can answer nothing are failures.

Examples:
  stemma settings set --vendor openai --model gpt-5.4-mini --api-key-env OPENAI_API_KEY
  stemma settings set --vendor groq --model openai/gpt-oss-20b --api-key-stdin < key.txt
  stemma settings set --provider openai-compatible --base-url http://127.0.0.1:11434/v1 --model llama3.2 --no-api-key
  stemma settings set --model gpt-6-luna
  stemma settings test
  stemma settings stages`;
