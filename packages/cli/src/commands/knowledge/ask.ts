import type { AskRequest, Stemma } from "@stemma/client";
import { withHints } from "../../connection/with-hints";
import { type ConnectionOptions, withService } from "../../connection/with-service";
import { CREATE_KNOWLEDGE_BASE } from "../../knowledge-bases/find-knowledge-base";
import { resolveKnowledgeBases } from "../../knowledge-bases/resolve-knowledge-base";
import { readQuestion } from "../../terminal/input/read-question";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { type AnswerRenderer, createAnswerRenderer } from "../../terminal/render/render-answer";
import type { Terminal } from "../../terminal/terminal";
import { formatJson } from "../../terminal/text/format-json";

/** Options of `stemma ask`. */
export interface AskCommandOptions extends ConnectionOptions {
	/** Ids, slugs or names; none: all that the credential may read. */
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
		withService(options, (stemma) =>
			withHints(HINTS, async () => {
				const chosen = await resolveKnowledgeBases(stemma.knowledge, options.kb);
				const request = { question, ...(chosen.length > 0 && { knowledge_base_ids: chosen }) };
				await answer(terminal, stemma, request, { ...options, signal });
				return 0;
			}),
		),
	);
}

const HINTS = {
	no_knowledge_bases: CREATE_KNOWLEDGE_BASE,
	knowledge_base_not_found: '"stemma kb list" lists them.',
};

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
