import { createInterface } from "node:readline/promises";
import {
	type AgentGraph,
	inspectAgent,
	type JsonObject,
	type RunEvent,
	type RunResult,
	type RunStatus,
} from "@stemma/core";
import { ConfigurationError, RunFailedError } from "@stemma/core/errors";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { parseJson } from "../agent-file/parse-json";
import { readAgentFile } from "../agent-file/read-agent-file";
import { assignFolders, type DocsOption } from "../folder/docs-option";
import { createFolderPorts, listKnowledgeBases, refuseMinScore } from "../folder/folder-ports";
import { type Knowledge, readKnowledge } from "../folder/read-knowledge";
import { EXIT_INTERRUPTED } from "../terminal/interrupt";
import { demandQuestion, readQuestion } from "../terminal/read-question";
import { createRunRenderer } from "../terminal/render-run";
import { reportError } from "../terminal/report-error";
import { style, type Terminal } from "../terminal/terminal";

export interface RunCommandOptions {
	readonly docs: readonly DocsOption[];
	readonly context?: string;
	readonly json: boolean;
	readonly interactive: boolean;
	readonly skipUnreadable: boolean;
}

const EXIT_CODES: Readonly<Record<RunStatus, number>> = {
	completed: 0,
	paused: 0,
	failed: 1,
	cancelled: EXIT_INTERRUPTED,
};

/** Runs one agent file over folders of documents, in this process. Returns the exit code. */
export async function run(
	terminal: Terminal,
	file: string,
	question: string | undefined,
	options: RunCommandOptions,
): Promise<number> {
	const graph = await readAgentFile(file);
	const folders = assignFolders(listKnowledgeBases(graph), options.docs);
	refuseMinScore(graph);
	const context = readContext(options.context);
	// Made before anything is read: a graph that cannot run here says so at once.
	createLocalAgent(graph, { ports: createFolderPorts(new Map()) });
	const first = await readFirstQuestion(terminal, question, options);
	warnOfUnreachable(terminal, graph);
	// Ctrl-C ends reading as it ends any program: there is nothing to put in order yet.
	const knowledge = await readKnowledge(terminal, folders, options);
	const interrupt = new AbortController();
	const stop = (): void => interrupt.abort();
	process.once("SIGINT", stop);
	try {
		const session = { terminal, graph, knowledge, context, json: options.json, signal: interrupt.signal };
		return await answerAll(session, first, options);
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
	first: string | undefined,
	{ interactive }: RunCommandOptions,
): Promise<number> {
	const agent = createLocalAgent(session.graph, { ports: createFolderPorts(session.knowledge.indexes) });
	const exitCode = first === undefined ? 0 : await answer(session, agent, first);
	if ((first === undefined || interactive) && !session.signal.aborted) await converse(session, agent);
	return exitCode;
}

async function answer(session: Session, agent: LocalAgent, question: string): Promise<number> {
	const { terminal, knowledge, context, signal } = session;
	const stream = agent.stream({ input: question, context, signal });
	const renderer = createRunRenderer(terminal, ({ passage_id }) => knowledge.pathOf(passage_id));
	for await (const event of stream) {
		if (session.json) terminal.stdout.write(`${JSON.stringify(toWire(event))}\n`);
		else renderer.onEvent(event);
	}
	const result = await settle(stream.result());
	if (!session.json) {
		renderer.onEnd(result);
		if (result.status === "failed") reportError(terminal, new RunFailedError(result));
		if (result.status === "cancelled") terminal.stderr.write("Cancelled.\n");
	}
	return EXIT_CODES[result.status];
}

/** On the wire times are RFC 3339. */
function toWire(event: RunEvent): Omit<RunEvent, "at"> & { at: string } {
	return { ...event, at: new Date(event.at).toISOString() };
}

async function settle(result: Promise<RunResult>): Promise<RunResult> {
	try {
		return await result;
	} catch (error) {
		if (RunFailedError.is(error)) return error.result;
		throw error;
	}
}

/** Asks for questions until the input ends; an empty line asks again. */
async function converse(session: Session, agent: LocalAgent): Promise<void> {
	const { stdin, stderr } = session.terminal;
	const lines = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY });
	let isOpen = true;
	lines.on("close", () => {
		isOpen = false;
	});
	session.signal.addEventListener("abort", () => lines.close(), { once: true });
	lines.on("SIGINT", () => lines.close());
	lines.setPrompt(style(stderr, "bold", "\nAsk (Ctrl-D ends): "));
	lines.prompt();
	for await (const line of lines) {
		if (line.trim() !== "") await answer(session, agent, line.trim());
		if (session.signal.aborted) return;
		if (isOpen) lines.prompt();
	}
	stderr.write("\n");
}

/** None where one is to be asked for. */
async function readFirstQuestion(
	terminal: Terminal,
	question: string | undefined,
	{ interactive }: RunCommandOptions,
): Promise<string | undefined> {
	if (question !== undefined) return demandQuestion(question, EXAMPLE);
	if (interactive || terminal.stdin.isTTY) return undefined;
	return readQuestion(terminal, undefined, EXAMPLE);
}

const EXAMPLE = 'stemma run agent.json --docs ./documents "How do refunds work?"';

function warnOfUnreachable({ stderr }: Terminal, graph: AgentGraph): void {
	for (const id of inspectAgent(graph).unreachable)
		stderr.write(`${style(stderr, "yellow", "note:")} No edge leads to "${id}", so it never runs.\n`);
}

function readContext(text: string | undefined): JsonObject {
	if (text === undefined) return {};
	const context = parseJson(text, "--context");
	if (typeof context !== "object" || context === null || Array.isArray(context))
		throw new ConfigurationError("--context must be a JSON object.", {
			hint: `For example: --context '{"customer": "Ada"}'`,
		});
	// Parsed from JSON, and an object.
	return context as JsonObject;
}
