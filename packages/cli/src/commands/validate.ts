import { type AgentGraph, inspectAgent, StemmaError } from "@stemma/core";
import { formatPath } from "@stemma/core/errors";
import { createLocalAgent } from "@stemma/local";
import { findAgentFiles } from "../agent-file/find-agent-files";
import { type AgentDocument, readAgentDocument, STANDARD_INPUT } from "../agent-file/read-agent-document";
import { findNotes } from "../explain/find-notes";
import { createFolderPorts } from "../folder/folder-ports";
import { count } from "../terminal/count";
import { formatIssues, reportError } from "../terminal/report-error";
import { style, type Terminal, toShownLine } from "../terminal/terminal";

/** Checks agent files and writes every violation of each. Returns the exit code: 1 when any file is not valid. */
export async function validate(terminal: Terminal, paths: readonly string[]): Promise<number> {
	let exitCode = 0;
	for (const file of await findAgentFiles(terminal, paths))
		if (!(await validateOne(terminal, file))) exitCode = 1;
	return exitCode;
}

async function validateOne(terminal: Terminal, file: string): Promise<boolean> {
	const name = file === STANDARD_INPUT ? "stdin" : toShownLine(file);
	try {
		return tellDocument(terminal, name, await readAgentDocument(terminal, file));
	} catch (error) {
		// Where a file stops being JSON is a violation like any other.
		if (StemmaError.is(error) && error.code === "not_json")
			terminal.stdout.write(`${toShownLine(error.message)}\n`);
		else reportError(terminal, error);
		return false;
	}
}

function tellDocument({ stdout }: Terminal, name: string, document: AgentDocument): boolean {
	if (document.form === "invalid") {
		stdout.write(formatIssues(document.error, name));
		return false;
	}
	if (document.form === "manifest") {
		const id = toShownLine(document.remoteAgentId);
		stdout.write(`${name}: a manifest: runs the agent "${id}" of the service\n`);
		for (const { path, message } of document.warnings)
			stdout.write(`${name}: warning: ${toShownLine(`${formatPath(path)}: ${message}`)}\n`);
		return true;
	}
	const { nodes, edges = [] } = document.graph;
	const valid = style(stdout, "green", "valid");
	stdout.write(`${name}: ${valid} (${count(nodes.length, "node")}, ${count(edges.length, "edge")})\n`);
	for (const note of listNotes(document.graph)) stdout.write(`${name}: note: ${toShownLine(note)}\n`);
	return true;
}

/** What is allowed and probably not meant, or not possible yet. */
function listNotes(graph: AgentGraph): string[] {
	const inspection = inspectAgent(graph);
	const notes = [
		...inspection.unreachable.map((id) => `No edge leads to "${id}", so it never runs.`),
		...graph.nodes.flatMap((node) => findNotes(node, inspection).map((note) => `${node.id}: ${note}`)),
	];
	try {
		createLocalAgent(graph, { ports: createFolderPorts(new Map()) });
		return notes;
	} catch (error) {
		return [...notes, error instanceof Error ? error.message : String(error)];
	}
}
