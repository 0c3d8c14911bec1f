import { type AgentGraph, type Approval, inspectAgent, type JsonObject, type RunEvent } from "@stemma/core";
import { type AskForApproval, createLocalAgent, type LocalAgent } from "@stemma/local";
import { readAgentFile } from "../../agent-file/read-agent-file";
import { readContext } from "../../agent-file/read-context";
import { describeCall } from "../../approvals/describe-call";
import { promptForApproval } from "../../approvals/prompt-for-approval";
import { assignFolders, type DocsOption } from "../../folder/docs-option";
import {
	assertNoFilter,
	assertNoMinScore,
	createFolderPorts,
	listKnowledgeBases,
} from "../../folder/folder-ports";
import { type Knowledge, readKnowledge } from "../../folder/read-knowledge";
import { createLineReader, type LineReader } from "../../terminal/input/line-reader";
import { parseQuestion, readQuestion } from "../../terminal/input/read-question";
import { report } from "../../terminal/print";
import { createRunRenderer } from "../../terminal/render/render-run";
import { RUN_EXIT_CODES, renderRunEnd, toRunResult } from "../../terminal/run-outcome";
import { style, type Terminal } from "../../terminal/terminal";
import { formatJson } from "../../terminal/text/format-json";
import { getColumns } from "../../terminal/text/wrap-columns";

/** Options of `stemma run`. */
export interface RunCommandOptions {
	readonly docs: readonly DocsOption[];
	readonly context?: string;
	readonly json: boolean;
	readonly interactive: boolean;
	/** Left out: whoever sits at the terminal is asked. */
	readonly approve?: "all" | "none";
	readonly skipUnreadable: boolean;
	readonly followLinks: boolean;
}

/** Runs one agent file over folders of documents, in this process. Returns the exit code. */
export async function run(
	terminal: Terminal,
	file: string,
	question: string | undefined,
	options: RunCommandOptions,
): Promise<number> {
	const graph = await readAgentFile(file);
	const folders = assignFolders(listKnowledgeBases(graph), options.docs);
	assertNoMinScore(graph);
	assertNoFilter(graph);
	const context = readContext(options.context);
	// Made before anything is read: a graph that cannot run here says so at once.
	createLocalAgent(graph, { ports: createFolderPorts(new Map()) });
	const firstQuestion = await readFirstQuestion(terminal, question, options);
	warnOfUnreachable(terminal, graph);
	// Ctrl-C ends reading as it ends any program: there is nothing to put in order yet.
	const knowledge = await readKnowledge(terminal, folders, options);
	const interrupt = new AbortController();
	const stop = (): void => interrupt.abort();
	process.once("SIGINT", stop);
	try {
		const session = { terminal, graph, knowledge, context, json: options.json, signal: interrupt.signal };
		return await answerAll(session, firstQuestion, options, stop);
	} finally {
		process.removeListener("SIGINT", stop);
	}
}

interface Session {
	readonly terminal: Terminal;
	readonly graph: AgentGraph;
	readonly knowledge: Knowledge;
	readonly context: JsonObject;
	readonly json: boolean;
	readonly signal: AbortSignal;
}

async function answerAll(
	session: Session,
	firstQuestion: string | undefined,
	{ interactive, approve }: RunCommandOptions,
	stop: () => void,
): Promise<number> {
	const { terminal, graph, knowledge, signal } = session;
	const agent = createLocalAgent(graph, { ports: createFolderPorts(knowledge.indexes) });
	let isConversing = false;
	// Made when it is first needed: whoever reads a terminal keeps the process waiting for it.
	let reader: LineReader | undefined;
	const openReader = (): LineReader => {
		reader ??= createLineReader(terminal, isConversing ? () => undefined : stop);
		return reader;
	};
	const onApproval = selectApprovalPrompt(approve, terminal, openReader);
	signal.addEventListener("abort", () => reader?.close(), { once: true });
	try {
		const exitCode =
			firstQuestion === undefined ? 0 : await answer(session, agent, firstQuestion, onApproval);
		isConversing = true;
		if ((firstQuestion === undefined || interactive) && !signal.aborted)
			await answerQuestions(session, openReader(), (question) =>
				answer(session, agent, question, onApproval),
			);
		return exitCode;
	} finally {
		reader?.close();
	}
}

/** Selects how approvals are asked for. Without a terminal nobody can be asked, so the run pauses. */
function selectApprovalPrompt(
	approve: RunCommandOptions["approve"],
	terminal: Terminal,
	openReader: () => LineReader,
): AskForApproval | undefined {
	if (approve === "all") return () => "approve";
	if (approve === "none") return () => ({ decision: "deny", reason: "Nobody is available to approve it." });
	return terminal.stdin.isTTY ? promptForApproval(terminal, openReader) : undefined;
}

async function answer(
	session: Session,
	agent: LocalAgent,
	question: string,
	onApproval: AskForApproval | undefined,
): Promise<number> {
	const { terminal, knowledge, context, signal } = session;
	const stream = agent.stream({ input: question, context, signal, onApproval });
	const renderer = createRunRenderer(terminal, ({ passage_id }) => knowledge.pathOf(passage_id));
	for await (const event of stream) {
		if (session.json) terminal.stdout.write(`${formatJson(toWire(event))}\n`);
		else renderer.onEvent(event);
	}
	const result = await toRunResult(stream.result());
	if (!session.json) renderRunEnd(terminal, renderer, result);
	if (result.status === "paused") reportPause(terminal, result.approvals ?? []);
	return RUN_EXIT_CODES[result.status];
}

const PAUSE_HINT =
	'Run it at a terminal, which asks you, or with --approve all or --approve none. Runs of a service stay paused: "stemma runs approve".';

function reportPause(terminal: Terminal, approvals: readonly Approval[]): void {
	for (const approval of approvals) {
		const { title, rows, size } = describeCall(approval, { columns: getColumns(terminal.stderr) });
		report(terminal, "paused", `${title} waits for an approval.\n${rows}  ${size}`);
	}
	report(terminal, "hint", PAUSE_HINT);
}

/** Converts an event to its form on the wire, where times are RFC 3339. */
function toWire(event: RunEvent): Omit<RunEvent, "at"> & { at: string } {
	return { ...event, at: new Date(event.at).toISOString() };
}

async function answerQuestions(
	{ terminal: { stderr }, signal }: Session,
	reader: LineReader,
	answerTo: (question: string) => Promise<number>,
): Promise<void> {
	const prompt = style(stderr, "bold", "\nAsk (Ctrl-D ends): ");
	for (let line = await reader.read(prompt); line !== undefined; line = await reader.read(prompt)) {
		if (line.trim() !== "") await answerTo(line.trim());
		if (signal.aborted) return;
	}
	stderr.write("\n");
}

/** Reads the first question; `undefined` if the user has to be asked for it. */
async function readFirstQuestion(
	terminal: Terminal,
	question: string | undefined,
	{ interactive }: RunCommandOptions,
): Promise<string | undefined> {
	if (question !== undefined) return parseQuestion(question, EXAMPLE);
	if (interactive || terminal.stdin.isTTY) return undefined;
	return readQuestion(terminal, undefined, EXAMPLE);
}

const EXAMPLE = 'stemma run agent.json --docs ./documents "How do refunds work?"';

function warnOfUnreachable(terminal: Terminal, graph: AgentGraph): void {
	for (const id of inspectAgent(graph).unreachable)
		report(terminal, "note", `No edge leads to "${id}", so it never runs.`);
}
