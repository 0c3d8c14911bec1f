import { checkAgentFile } from "../agent-file/read-agent-file";
import { formatIssues, reportError } from "../terminal/report-error";
import { style, type Terminal } from "../terminal/terminal";

/** Checks agent files and writes every violation of each. Returns the exit code: 1 when any file is not valid. */
export async function validate(terminal: Terminal, files: readonly string[]): Promise<number> {
	let exitCode = 0;
	for (const file of files) if (!(await validateOne(terminal, file))) exitCode = 1;
	return exitCode;
}

async function validateOne(terminal: Terminal, file: string): Promise<boolean> {
	try {
		const validation = await checkAgentFile(file);
		if (!validation.success) {
			terminal.stdout.write(formatIssues(validation.error, file));
			return false;
		}
		const { nodes, edges = [] } = validation.graph;
		const valid = style(terminal.stdout, "green", "valid");
		terminal.stdout.write(
			`${file}: ${valid} (${count(nodes.length, "node")}, ${count(edges.length, "edge")})\n`,
		);
		return true;
	} catch (error) {
		reportError(terminal, error);
		return false;
	}
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
