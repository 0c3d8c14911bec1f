import type { Command } from "commander";
import { mcpStdio } from "../commands/mcp-stdio";
import type { ConnectionOptions } from "../connection/with-service";
import type { Terminal } from "../terminal/terminal";
import { addConnectionOptions, CONNECTION_NOTES } from "./connection-options";

export function addMcp(program: Command, terminal: Terminal): void {
	const mcp = program.command("mcp").description("tools by MCP: those of a service, and those of any server");
	addConnectionOptions(
		mcp.command("stdio").description("serve the tools of a service over standard input and output"),
	)
		.addHelpText("after", `\n${STDIO_NOTES}`)
		.action((options: ConnectionOptions) => mcpStdio(terminal, options));
}

const STDIO_NOTES = `For desktop assistants and editors, which start their MCP servers as programs. They need an entry like this one:
  { "mcpServers": { "stemma": { "command": "npx", "args": ["stemma", "mcp", "stdio"], "env": {
    "STEMMA_BASE_URL": "https://stemma.example", "STEMMA_CLIENT_ID": "cl_…", "STEMMA_CLIENT_SECRET": "…" } } } }
Assistants that speak to servers over HTTP need no program: the address is that of the service with /mcp behind it.

${CONNECTION_NOTES}
The client needs the scope ask, or knowledge:read for searching alone.

Exit codes: 0 the assistant has ended, 1 there are no credentials.`;
