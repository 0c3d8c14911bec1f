import type { AskRequest, Knowledge, Stemma } from "@stemma/client";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { withHints } from "../connection/with-hints";
import { type ConnectionOptions, withService } from "../connection/with-service";
import {
	CREATE_KNOWLEDGE_BASE,
	getKnowledgeBase,
	isKnowledgeBaseId,
} from "../knowledge-bases/find-knowledge-base";
import { readQuestion } from "../terminal/input/read-question";
import { runUntilInterrupted } from "../terminal/interrupt";
import { type AnswerRenderer, createAnswerRenderer } from "../terminal/render/render-answer";
import type { Terminal } from "../terminal/terminal";
import { formatJson } from "../terminal/text/format-json";

/** Options of `stemma ask`. */
export interface AskCommandOptions extends ConnectionOptions {
	/** Ids or names; none: all that the credential may read. */
	readonly kb: readonly string[];
	readonly json: boolean;
	readonly stream: boolean;
}

/** Asks a service and writes the answer. Returns the exit code. */
export async function ask(
	terminal: Terminal,
	argument: string | undefined,
	options: AskCommandOptions,
): Promise<number> {
	const question = await readQuestion(terminal, argument, 'stemma ask "How do refunds work?"');
	return runUntilInterrupted(terminal, "Cancelled.", (signal) =>
		withService(options, async (stemma) => {
			const chosen = await chooseKnowledgeBases(stemma.knowledge, options.kb);
			const request = { question, ...(chosen.length > 0 && { knowledge_base_ids: chosen }) };
			await withHints(HINTS, () => answer(terminal, stemma, request, { ...options, signal }));
			return 0;
		}),
	);
}

/** The ids of those that were named. @throws ConfigurationError that lists what there is, for unknown ones. */
async function chooseKnowledgeBases(knowledge: Knowledge, chosen: readonly string[]): Promise<string[]> {
	if (chosen.every(isKnowledgeBaseId)) return [...new Set(chosen)];
	const all = await listAll(knowledge.list(FULL_PAGES));
	return [...new Set(chosen.map((idOrName) => getKnowledgeBase(idOrName, all).id))];
}

const HINTS = { no_knowledge_bases: CREATE_KNOWLEDGE_BASE };

interface AnswerOptions extends Pick<AskCommandOptions, "json" | "stream"> {
	readonly signal: AbortSignal;
}

async function answer(
	terminal: Terminal,
	{ ask }: Stemma,
	request: AskRequest,
	{ json, stream, signal }: AnswerOptions,
): Promise<void> {
	const writer = json ? createJsonWriter(terminal, stream) : createAnswerRenderer(terminal);
	const events = ask.stream(request, { signal });
	try {
		for await (const event of events) if (stream) writer.onEvent(event);
		writer.onEnd(await events.answer());
	} catch (error) {
		writer.onInterrupted();
		throw error;
	}
}

/** Events, one a line, or the whole answer as one object. */
function createJsonWriter({ stdout }: Terminal, isStreamed: boolean): AnswerRenderer {
	const write = (value: object): void => void stdout.write(`${formatJson(value)}\n`);
	return {
		onEvent: write,
		// The last event has it.
		onEnd: isStreamed ? () => undefined : write,
		onInterrupted: () => undefined,
	};
}
