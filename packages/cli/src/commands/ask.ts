import type { Answer, AskRequest, Knowledge, Stemma } from "@stemma/client";
import { listAll, WHOLE_PAGES } from "../connection/list-all";
import { type ConnectionOptions, withService } from "../connection/with-service";
import { demandKnowledgeBase, demandOnlyKnowledgeBase } from "../knowledge-bases/find-knowledge-base";
import { runUntilInterrupted } from "../terminal/interrupt";
import { readQuestion } from "../terminal/read-question";
import { createAnswerRenderer } from "../terminal/render-answer";
import type { Terminal } from "../terminal/terminal";

export interface AskCommandOptions extends ConnectionOptions {
	/** Ids or names. */
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
			const knowledge_base_ids = await chooseKnowledgeBases(stemma.knowledge, options.kb);
			await answer(terminal, stemma, { question, knowledge_base_ids }, { ...options, signal });
			return 0;
		}),
	);
}

/** @throws ConfigurationError that lists them, for unknown ones and where there is a choice. */
async function chooseKnowledgeBases(knowledge: Knowledge, chosen: readonly string[]): Promise<string[]> {
	const all = await listAll(knowledge.list(WHOLE_PAGES));
	if (chosen.length === 0) return [demandOnlyKnowledgeBase(all).id];
	return [...new Set(chosen.map((idOrName) => demandKnowledgeBase(idOrName, all).id))];
}

interface AnswerOptions extends Pick<AskCommandOptions, "json" | "stream"> {
	readonly signal: AbortSignal;
}

async function answer(
	terminal: Terminal,
	{ ask }: Stemma,
	request: AskRequest,
	{ json, stream, signal }: AnswerOptions,
): Promise<void> {
	if (!json) return render(terminal, ask.stream(request, { signal }), stream);
	const write = (value: object): void => void terminal.stdout.write(`${JSON.stringify(value)}\n`);
	if (stream) for await (const event of ask.stream(request, { signal })) write(event);
	else write(await ask(request, { signal }));
}

async function render(
	terminal: Terminal,
	events: ReturnType<Stemma["ask"]["stream"]>,
	isStreamed: boolean,
): Promise<void> {
	const renderer = createAnswerRenderer(terminal);
	for await (const event of events) if (isStreamed) renderer.onEvent(event);
	const answer: Answer = await events.answer();
	renderer.onEnd(answer);
}
