import type { Command } from "commander";
import { mcpStdio } from "../commands/mcp-stdio";
import { type McpTypesOptions, mcpTypes } from "../commands/mcp-types";
import type { ConnectionOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import type { CommandResult } from "./command-result";
import { addConnectionOptions, CONNECTION_NOTES } from "./options/connection-options";
import { addSecretOptions } from "./options/secret-options";

/** Adds the command `stemma mcp`, its options and its help. */
export function addMcp(program: Command, terminal: Terminal, result: CommandResult): void {
	const mcp = program.command("mcp").description("tools by MCP: those of a service, and those of any server");
	addConnectionOptions(
		mcp.command("stdio").description("serve the tools of a service over standard input and output"),
	)
		.addHelpText("after", `\n${STDIO_NOTES}`)
		.action((options: ConnectionOptions) => mcpStdio(terminal, options));
	addSecretOptions(
		mcp
			.command("types")
			.description("write the TypeScript types of a server's tools, and a lock to pin them by")
			.argument("<url>", "the address of the MCP server")
			.option("--out <file>", "the TypeScript file; the lock is beside it", "mcp.tools.ts")
			.option("--check", "write nothing; fail if the server has changed its tools", false)
			.option(
				"--data <folder>",
				"the data folder of a service on this machine, for its own server (default: ./stemma-data)",
			),
		"token",
		"token",
	)
		.addHelpText("after", `\n${TYPES_NOTES}`)
		.action(async (url: string, options: McpTypesOptions) => {
			result.exitCode = await mcpTypes(terminal, url, options);
		});
}

const TYPES_NOTES = `A program that imports both knows the arguments of each tool, and refuses a tool that has changed since the lock was written.
Review what has changed before you write them again: models read the descriptions.
  import lock from "./orders.tools.lock.json" with { type: "json" };
  import type { Tools } from "./orders.tools";
  const orders = createMcpClient<Tools>({ url: "https://orders.example/mcp", pin: lock });

Without a token, the server of a service (its address with /mcp behind it) gets the credentials that "stemma mcp stdio" uses:
STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET for the service at STEMMA_BASE_URL, else those of the data folder. No other server gets them.

Exit codes: 0 written, or unchanged; 1 changed, failed or wrong input.

Examples:
  stemma mcp types https://orders.example/mcp --out src/orders.tools.ts
  stemma mcp types https://orders.example/mcp --out src/orders.tools.ts --token-env ORDERS_TOKEN --check
  stemma mcp types http://127.0.0.1:4000/mcp --out src/stemma.tools.ts --data ./stemma-data`;

const STDIO_NOTES = `For desktop assistants and editors, which start their MCP servers as programs. They need an entry like this one:
  { "mcpServers": { "stemma": { "command": "npx", "args": ["stemma", "mcp", "stdio"], "env": {
    "STEMMA_BASE_URL": "https://stemma.example", "STEMMA_CLIENT_ID": "cl_…", "STEMMA_CLIENT_SECRET": "…" } } } }
Assistants that speak to servers over HTTP need no program: the address is that of the service with /mcp behind it.

${CONNECTION_NOTES}
The client needs the scope ask, or knowledge:read if it only searches.

Exit codes: 0 the assistant has ended, 1 no credentials were found.`;
