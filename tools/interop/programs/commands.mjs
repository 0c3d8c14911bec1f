import { createInterface } from "node:readline";

/**
 * Takes commands by lines of standard input, `{id, command, params}`, many at a time, and answers each by a line
 * `{id, result}` or `{id, error}`.
 */
export function serveCommands(commands) {
	const write = (answer) => void process.stdout.write(`${JSON.stringify(answer)}\n`);
	const lines = createInterface({ input: process.stdin });
	// Its own connections would keep it alive.
	lines.on("close", () => process.exit());
	lines.on("line", async (line) => {
		const { id, command, params } = JSON.parse(line);
		try {
			write({ id, result: (await commands[command](params)) ?? null });
		} catch (error) {
			write({ id, error: toErrorDetails(error) });
		}
	});
}

/** What an official part tells of a failure. */
function toErrorDetails(error) {
	const { name, message, code, data, status, reason, statusCode, cause } = error;
	return { name, message, code, data, status, reason, statusCode, ...(cause && { cause: String(cause) }) };
}
