import type { Stemma } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, withService } from "../connection/with-service";
import { CREATE_KNOWLEDGE_BASE } from "../knowledge-bases/find-knowledge-base";
import { resolveKnowledgeBases } from "../knowledge-bases/resolve-knowledge-base";
import { createLineReader } from "../terminal/input/line-reader";
import { runUntilInterrupted } from "../terminal/interrupt";
import { report } from "../terminal/print";
import { createAnswerRenderer } from "../terminal/render/render-answer";
import { createRunRenderer } from "../terminal/render/render-run";
import { reportError } from "../terminal/report-error";
import { renderRunEnd, toRunResult } from "../terminal/run-outcome";
import { sanitizeLine, style, type Terminal } from "../terminal/terminal";

/** Options of `stemma chat`. */
export interface ChatCommandOptions extends ConnectionOptions {
	/** Id of the thread to continue; none: a new one. */
	readonly thread?: string;
	/** Id or slug of the agent that answers. Default: the thread's; without one, the knowledge bases. */
	readonly agent?: string;
	/** Ids, slugs or names of the knowledge bases that are asked; none: all that the credential may read. */
	readonly kb: readonly string[];
}

const HINTS = {
	no_knowledge_bases: CREATE_KNOWLEDGE_BASE,
	knowledge_base_not_found: '"stemma kb list" lists them.',
	agent_not_found: '"stemma agents list" lists them.',
	thread_not_found: 'Leave out "--thread" to start a new one.',
};

/** Talks with an agent or with documents in a thread that the service keeps. Returns the exit code. */
export async function chat(terminal: Terminal, options: ChatCommandOptions): Promise<number> {
	if (options.agent !== undefined && options.kb.length > 0)
		throw new ConfigurationError("--agent and --kb do not go together.", {
			hint: "An agent searches the knowledge bases of its graph.",
		});
	return runUntilInterrupted(terminal, "Cancelled.", (signal) =>
		withService(options, (stemma) =>
			withHints(HINTS, async () => {
				const session = await openSession(terminal, stemma, options, signal);
				report(terminal, "note", `Continue this thread with: stemma chat --thread ${session.threadId}`);
				return answerLines(session);
			}),
		),
	);
}

/** Conversation at a terminal. */
interface ChatSession {
	readonly terminal: Terminal;
	readonly threadId: string;
	readonly signal: AbortSignal;
	/** Answers a message in the thread. */
	answer(text: string): Promise<void>;
}

async function openSession(
	terminal: Terminal,
	stemma: Stemma,
	{ thread, agent, kb }: ChatCommandOptions,
	signal: AbortSignal,
): Promise<ChatSession> {
	const agentField = agent === undefined ? {} : { agent_id: agent };
	const chosen = await resolveKnowledgeBases(stemma.knowledge, kb);
	const { id, agent_id } =
		thread === undefined ? await stemma.threads.create(agentField) : await stemma.threads.get(thread);
	const agentId = agent ?? (chosen.length === 0 ? agent_id : null);
	const place = { terminal, threadId: sanitizeLine(id), signal };
	return {
		...place,
		answer: (text) =>
			agentId === null
				? answerFromDocuments(stemma, place, text, chosen)
				: answerByAgent(stemma, place, text, agentId),
	};
}

type ChatPlace = Omit<ChatSession, "answer">;

async function answerByAgent(
	{ agents }: Stemma,
	{ terminal, threadId, signal }: ChatPlace,
	input: string,
	agent: string,
): Promise<void> {
	const events = agents.stream(agent, { input, thread_id: threadId }, { signal });
	const renderer = createRunRenderer(terminal, () => undefined);
	for await (const event of events) renderer.onEvent(event);
	const result = await toRunResult(events.result());
	renderRunEnd(terminal, renderer, result);
	if (result.status === "paused")
		report(
			terminal,
			"paused",
			`The run waits for an approval: stemma runs approve ${sanitizeLine(result.run_id)}`,
		);
}

async function answerFromDocuments(
	{ ask }: Stemma,
	{ terminal, threadId, signal }: ChatPlace,
	question: string,
	knowledgeBaseIds: readonly string[],
): Promise<void> {
	const ids = knowledgeBaseIds.length > 0 && { knowledge_base_ids: knowledgeBaseIds };
	const events = ask.stream({ question, thread_id: threadId, ...ids }, { signal });
	const renderer = createAnswerRenderer(terminal);
	try {
		for await (const event of events) renderer.onEvent(event);
		renderer.onEnd(await events.answer());
	} catch (error) {
		renderer.onInterrupted();
		throw error;
	}
}

/** Answers each line that is typed or piped in. One that fails ends nothing where a person is there to go on. */
async function answerLines({ terminal, signal, answer }: ChatSession): Promise<number> {
	const { stdin, stderr } = terminal;
	const reader = createLineReader(terminal, () => undefined);
	signal.addEventListener("abort", () => reader.close(), { once: true });
	const prompt = stdin.isTTY ? style(stderr, "bold", "\nYou (Ctrl-D ends): ") : "";
	let exitCode = 0;
	try {
		for (let line = await reader.read(prompt); line !== undefined; line = await reader.read(prompt)) {
			if (line.trim() === "") continue;
			try {
				await answer(line.trim());
			} catch (error) {
				if (signal.aborted || !stdin.isTTY) throw error;
				reportError(terminal, error);
				exitCode = 1;
			}
		}
	} finally {
		reader.close();
	}
	signal.throwIfAborted();
	return exitCode;
}
