import { type ConnectionOptions, findConnection, withService } from "../connection/with-service";
import { bridgeStdio, readLines } from "../mcp/stdio-bridge";
import { type Terminal, toShownLine } from "../terminal/terminal";

/** Serves the tools of a service over standard input and output, until the input ends. */
export async function mcpStdio(
	{ stdin, stdout, stderr }: Terminal,
	options: ConnectionOptions,
): Promise<void> {
	const note = (text: string): void => void stderr.write(`${toShownLine(text)}\n`);
	const { url } = await findConnection(options, process.env);
	note(`MCP over standard input and output, for the service at ${url}`);
	await withService(options, ({ client }) =>
		bridgeStdio(client, {
			url,
			input: readLines(stdin),
			write: (line) => void stdout.write(`${line}\n`),
			note,
		}),
	);
}
