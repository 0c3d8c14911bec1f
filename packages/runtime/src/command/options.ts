import { MAX_TIMER_MS } from "@stemma/core/internal";

const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

const text = (help: string) => ({ type: "string", help }) as const;
const flag = (help: string) => ({ type: "boolean", help }) as const;
const number = (min: number, max: number, help: string) => ({ type: "string", min, max, help }) as const;
const count = (help: string) => number(1, MAX_INTEGER, help);
const duration = (min: number, help: string) => number(min, MAX_TIMER_MS, help);

/** Every option: how it is written, and what is told of it. */
export const OPTIONS = {
	port: number(0, 65_535, "the port to listen on; 0 for any (default: 4120)"),
	host: text("the address to listen on (default: 127.0.0.1)"),
	"trusted-proxies": text("proxies that tell callers' addresses, by commas"),
	service: text("the service's address"),
	strict: flag("do not start when an agent file is not valid"),
	"allow-anonymous": flag("answer requests without a token"),
	"max-runs": count("runs at the same time (default: 1000)"),
	"timeout-ms": duration(1, "how long a run may take (default: its graph's)"),
	"max-steps": count("steps of a run (default: its graph's)"),
	"max-depth": count("depth of nested calls (default: its graph's)"),
	"max-tokens": count("tokens of a run (default: its graph's)"),
	"header-timeout-ms": duration(0, "to send a request's head (default: 10000)"),
	"request-timeout-ms": duration(0, "to send a request (default: 30000)"),
	"idle-timeout-ms": duration(0, "between two requests (default: 65000)"),
	"stalled-timeout-ms": duration(0, "for a reader that reads nothing (default: 60000)"),
	"grace-ms": duration(0, "for runs, after SIGTERM (default: 10000)"),
	"print-config": flag("print the resulting options, and exit"),
	version: { type: "boolean", short: "v", help: "print the version" },
	help: { type: "boolean", short: "h", help: "show this help" },
} as const;

type Options = typeof OPTIONS;
type NameOf<Option> = { [Name in keyof Options]: Options[Name] extends Option ? Name : never }[keyof Options];

export type NumberOption = NameOf<{ readonly min: number }>;
export type TextOption = Exclude<NameOf<{ readonly type: "string" }>, NumberOption>;
export type FlagOption = "strict" | "allow-anonymous";

/** The variable that stands for an option. */
export const toVariable = (name: string): string =>
	name === "service" ? "STEMMA_BASE_URL" : `STEMMA_RUNTIME_${name.toUpperCase().replaceAll("-", "_")}`;

const lines = Object.entries<{ readonly type: string; readonly short?: string; readonly help: string }>(
	OPTIONS,
).map(([name, { type, short, help }]) => {
	const option = `${short === undefined ? "" : `-${short}, `}--${name}${type === "string" ? ` <${placeholder(name)}>` : ""}`;
	return `  ${option.padEnd(29)} ${help}`;
});

function placeholder(name: string): string {
	if (name === "host") return "address";
	if (name === "trusted-proxies") return "list";
	return name === "service" ? "url" : "number";
}

export const HELP = `Usage: stemma-runtime <folder> [options]

Serves the agent files (.json) of a folder over HTTP. Models and documents are those of a Stemma service.

Options:
${lines.join("\n")}

Environment:
  STEMMA_CLIENT_ID, STEMMA_CLIENT_SECRET   the runtime's credentials at the service
  STEMMA_BASE_URL                          the service's address
  STEMMA_RUNTIME_TOKEN                     what requests have to send: Authorization: Bearer <token>
  STEMMA_RUNTIME_AGENTS                    the folder
  STEMMA_RUNTIME_<OPTION>                  any option, such as STEMMA_RUNTIME_MAX_RUNS=50
  STEMMA_TOOL_<NAME>                       the secret that a graph's node calls <name>
  OTEL_EXPORTER_OTLP_ENDPOINT              where spans are sent, by OTLP over HTTP (default: nowhere)
  OTEL_SERVICE_NAME                        their service name (default: stemma-runtime)

SIGTERM and SIGINT: no new runs; active runs have the grace time. A second signal ends the process at once.

Example:
  stemma-runtime ./agents --service http://127.0.0.1:4000
`;
