import { type AgentGraph, DEFAULT_LIMITS, inspectAgent, StemmaError } from "@stemma/core";
import { findAgentFiles } from "../../agent-file/find-agent-files";
import { type AgentDocument, readAgentDocument, STANDARD_INPUT } from "../../agent-file/read-agent-document";
import { explainGraph } from "../../explain/explain-graph";
import { type Condition, findFailures, findUnchecked } from "../../explain/find-failures";
import { findNotes } from "../../explain/find-notes";
import { renderBlocks, type TextBlock } from "../../explain/wrap-text";
import { formatIssues, reportError } from "../../terminal/report-error";
import { type Style, sanitizeLine, sanitizeText, style, type Terminal } from "../../terminal/terminal";
import { formatJson } from "../../terminal/text/format-json";

/** Options of `stemma explain`. */
export interface ExplainCommandOptions {
	readonly json: boolean;
	readonly failOn: readonly Condition[];
}

/** Tells what agent files may do, reach and cost. Returns the exit code: 1 where one is not valid, or fails a condition. */
export async function explain(
	terminal: Terminal,
	paths: readonly string[],
	options: ExplainCommandOptions,
): Promise<number> {
	const files = await findAgentFiles(terminal, paths);
	let exitCode = 0;
	for (const [index, file] of files.entries()) {
		if (index > 0 && !options.json) terminal.stdout.write("\n");
		if (!(await explainFile(terminal, file, options))) exitCode = 1;
	}
	return exitCode;
}

async function explainFile(
	terminal: Terminal,
	file: string,
	options: ExplainCommandOptions,
): Promise<boolean> {
	const name = file === STANDARD_INPUT ? "stdin" : file;
	try {
		return explainDocument(terminal, name, await readAgentDocument(terminal, file), options);
	} catch (error) {
		if (!StemmaError.is(error)) throw error;
		if (options.json) writeJson(terminal, { file: name, form: "invalid", error });
		else if (error.code === "invalid_json") terminal.stdout.write(`${sanitizeText(error.message)}\n`);
		else reportError(terminal, error);
		return false;
	}
}

function explainDocument(
	terminal: Terminal,
	file: string,
	document: AgentDocument,
	{ json, failOn }: ExplainCommandOptions,
): boolean {
	if (document.form === "invalid") {
		const { issues } = document.error;
		if (json) writeJson(terminal, { file, form: "invalid", issues });
		else terminal.stdout.write(formatIssues(document.error, file));
		return false;
	}
	if (document.form === "manifest") {
		if (json) writeJson(terminal, { file, ...document });
		else writeBlocks(terminal, [describeManifest(file, document)]);
		return true;
	}
	return explainValid(terminal, file, document.graph, { json, failOn });
}

function explainValid(
	terminal: Terminal,
	file: string,
	graph: AgentGraph,
	{ json, failOn }: ExplainCommandOptions,
): boolean {
	const inspection = inspectAgent(graph);
	const failures = findFailures(inspection, failOn);
	const { name, nodes, limits } = graph;
	const entry = nodes.find(({ kind }) => kind === "coordinator")?.id;
	if (json)
		writeJson(terminal, {
			file,
			form: "graph",
			name,
			entry,
			limits: { ...DEFAULT_LIMITS, ...limits },
			...inspection,
			notes: nodes.flatMap((node) => findNotes(node, inspection).map((note) => ({ node: node.id, note }))),
			failures,
		});
	else writeBlocks(terminal, explainGraph(graph, inspection, file));
	writeConditions(terminal, ["yellow", "note:"], file, findUnchecked(inspection, failOn));
	writeConditions(terminal, [["red", "bold"], "fails:"], file, failures);
	return Object.keys(failures).length === 0;
}

function writeConditions(
	{ stderr }: Terminal,
	[format, label]: readonly [Style, string],
	file: string,
	reasons: Partial<Record<Condition, string>>,
): void {
	for (const [condition, reason] of Object.entries(reasons))
		stderr.write(`${style(stderr, format, label)} ${sanitizeLine(`${file}: ${condition}: ${reason}`)}\n`);
}

function describeManifest(
	file: string,
	{ name, remoteAgentId }: Extract<AgentDocument, { form: "manifest" }>,
): TextBlock {
	return {
		title: name ?? file,
		note: name === undefined ? "a manifest" : `${file}: a manifest`,
		lines: [
			{ text: `runs the agent "${remoteAgentId}" of the service that a runtime is connected to` },
			{ text: "what it reaches and costs is decided there" },
		],
	};
}

/** Widest line in a terminal, in columns: longer ones are hard to read. */
const MAX_WIDTH = 120;
const MIN_WIDTH = 40;

/** A file or a pipe gets lines as they are. */
function writeBlocks({ stdout }: Terminal, blocks: readonly TextBlock[]): void {
	const columns = stdout.isTTY ? (stdout.columns ?? MAX_WIDTH) : Number.POSITIVE_INFINITY;
	const width = stdout.isTTY ? Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns)) : columns;
	const paint = (format: Style, text: string): string => style(stdout, format, text);
	stdout.write(renderBlocks(blocks, { width, paint }));
}

const writeJson = ({ stdout }: Terminal, value: object): void => void stdout.write(`${formatJson(value)}\n`);
