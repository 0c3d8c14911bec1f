import { type ConnectionOptions, findConnection, withService } from "../connection/with-service";
import { bridgeStdio, readLines } from "../mcp/stdio-bridge";
import { sanitizeLine, type Terminal } from "../terminal/terminal";

/** Serves the tools of a service over standard input and output, until the input ends. */
export async function mcpStdio(
	{ stdin, stdout, stderr }: Terminal,
	options: ConnectionOptions,
): Promise<void> {
	const log = (text: string): void => void stderr.write(`${sanitizeLine(text)}\n`);
	const { url } = await findConnection(options, process.env);
	log(`MCP over standard input and output, for the service at ${url}`);
	await withService(options, ({ client }) =>
		bridgeStdio(client, {
			url,
			input: readLines(stdin),
			write: (line) => void stdout.write(`${line}\n`),
			log,
		}),
	);
}
