import { type AgentGraph, inspectAgent, StemmaError } from "@stemma/core";
import { createLocalAgent } from "@stemma/local";
import { checkAgentFile } from "../agent-file/read-agent-file";
import { createFolderPorts } from "../folder/folder-ports";
import { count } from "../terminal/count";
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
		for (const note of findNotes(validation.graph)) terminal.stdout.write(`${file}: note: ${note}\n`);
		return true;
	} catch (error) {
		// Where a file stops being JSON is a violation like any other.
		if (StemmaError.is(error) && error.code === "not_json") terminal.stdout.write(`${error.message}\n`);
		else reportError(terminal, error);
		return false;
	}
}

/** What is allowed and probably not meant, or not possible yet. */
function findNotes(graph: AgentGraph): string[] {
	const unreachable = inspectAgent(graph).unreachable.map(
		(id) => `No edge leads to "${id}", so it never runs.`,
	);
	try {
		createLocalAgent(graph, { ports: createFolderPorts(new Map()) });
		return unreachable;
	} catch (error) {
		return [...unreachable, error instanceof Error ? error.message : String(error)];
	}
}
