import { type AgentGraph, inspectAgent, StemmaError } from "@stemma/core";
import { formatPath } from "@stemma/core/errors";
import { createLocalAgent } from "@stemma/local";
import { findAgentFiles } from "../../agent-file/find-agent-files";
import { type AgentDocument, readAgentDocument, STANDARD_INPUT } from "../../agent-file/read-agent-document";
import { findNotes } from "../../explain/find-notes";
import { createFolderPorts } from "../../folder/folder-ports";
import { formatIssues, reportError } from "../../terminal/report-error";
import { sanitizeLine, style, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";

/** Checks agent files and writes every violation of each. Returns the exit code: 1 when any file is not valid. */
export async function validate(terminal: Terminal, paths: readonly string[]): Promise<number> {
	let exitCode = 0;
	for (const file of await findAgentFiles(terminal, paths))
		if (!(await validateFile(terminal, file))) exitCode = 1;
	return exitCode;
}

async function validateFile(terminal: Terminal, file: string): Promise<boolean> {
	const name = file === STANDARD_INPUT ? "stdin" : sanitizeLine(file);
	try {
		return printDocument(terminal, name, await readAgentDocument(terminal, file));
	} catch (error) {
		// Where a file stops being JSON is a violation like any other.
		if (StemmaError.is(error) && error.code === "invalid_json")
			terminal.stdout.write(`${sanitizeLine(error.message)}\n`);
		else reportError(terminal, error);
		return false;
	}
}

function printDocument({ stdout }: Terminal, name: string, document: AgentDocument): boolean {
	if (document.form === "invalid") {
		stdout.write(formatIssues(document.error, name));
		return false;
	}
	if (document.form === "manifest") {
		const id = sanitizeLine(document.remoteAgentId);
		stdout.write(`${name}: a manifest: runs the agent "${id}" of the service\n`);
		for (const { path, message } of document.warnings)
			stdout.write(`${name}: warning: ${sanitizeLine(`${formatPath(path)}: ${message}`)}\n`);
		return true;
	}
	const { nodes, edges = [] } = document.graph;
	const valid = style(stdout, "green", "valid");
	stdout.write(`${name}: ${valid} (${count(nodes.length, "node")}, ${count(edges.length, "edge")})\n`);
	for (const note of listNotes(document.graph)) stdout.write(`${name}: note: ${sanitizeLine(note)}\n`);
	return true;
}

/** Lists what is allowed in a graph but probably not meant, or not possible yet. */
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
