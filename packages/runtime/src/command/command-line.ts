import { parseArgs } from "node:util";
import { ConfigurationError } from "@stemma/core/errors";

/** What a command line asks for. */
export type CommandLine =
	| { readonly kind: "help" | "version" }
	| {
			readonly kind: "start";
			readonly folder: string;
			readonly port: number | undefined;
			readonly host: string | undefined;
			readonly strict: boolean;
			readonly allowAnonymous: boolean;
			readonly service: string | undefined;
			readonly graceMs: number | undefined;
	  };

export const HELP = `Usage: stemma-runtime <folder> [options]

Serves the agent files (.json) of a folder over HTTP. Models and documents are those of a Stemma service.

Options:
  --port <number>       the port to listen on (default: 4120)
  --host <address>      the address to listen on (default: 127.0.0.1)
  --service <url>       the service's address (default: STEMMA_BASE_URL)
  --strict              do not start when an agent file is not valid
  --allow-anonymous     answer everyone, without a token
  --grace-ms <number>   how long runs may go on after SIGTERM, in milliseconds (default: 10000)
  -v, --version         print the version
  -h, --help            show this help

Environment:
  STEMMA_CLIENT_ID, STEMMA_CLIENT_SECRET   the runtime's credentials at the service
  STEMMA_BASE_URL                          the service's address
  STEMMA_RUNTIME_TOKEN                     what requests have to bring: Authorization: Bearer <token>

Example:
  stemma-runtime ./agents --service http://127.0.0.1:4000
`;

/** @throws ConfigurationError for anything that is not understood. */
export function parseCommandLine(args: readonly string[]): CommandLine {
	const { values, positionals } = parse(args);
	if (values.help === true) return { kind: "help" };
	if (values.version === true) return { kind: "version" };
	const [folder, ...more] = positionals;
	if (folder === undefined) throw misunderstood("The folder of agent files is missing.");
	if (more.length > 0) throw misunderstood(`One folder is expected, and there is more: ${more.join(" ")}.`);
	return {
		kind: "start",
		folder,
		port: toNumber("port", values.port, 65_535),
		host: values.host,
		strict: values.strict === true,
		allowAnonymous: values["allow-anonymous"] === true,
		service: values.service,
		graceMs: toNumber("grace-ms", values["grace-ms"], 2 ** 31 - 1),
	};
}

const OPTIONS = {
	port: { type: "string" },
	host: { type: "string" },
	service: { type: "string" },
	strict: { type: "boolean" },
	"allow-anonymous": { type: "boolean" },
	"grace-ms": { type: "string" },
	version: { type: "boolean", short: "v" },
	help: { type: "boolean", short: "h" },
} as const;

function parse(args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
	} catch (error) {
		// The first sentence names the option; the rest is advice about `--`.
		const [first = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
		throw misunderstood(`${first.replace(/\.$/, "")}.`);
	}
}

function toNumber(option: string, text: string | undefined, most: number): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\d{1,10}$/.test(text) || Number(text) > most)
		throw misunderstood(`--${option} has to be a whole number from 0 to ${most}.`);
	return Number(text);
}

const misunderstood = (message: string): ConfigurationError =>
	new ConfigurationError(message, { hint: "stemma-runtime --help lists the options." });
