import type { ChatMessage, ChatRequest } from "@stemma/core";
import { parseObject } from "../http/lenient-json";
import { type DataBlock, readDataBlocks } from "./data-blocks";
import { type MarkedSentence, readMarkedSentences } from "./marked-sentences";
import { parsePassages, type SourcePassage } from "./parse-passages";

/** All that there is to quote from in a conversation. */
export interface Sources {
	/** The user's input, or the text of the agent before. */
	readonly question: string;
	/** Passages, each number once, in the order in which they were found, best first. */
	readonly passages: readonly SourcePassage[];
	/** Sentences that other agents wrote with citation marks. */
	readonly statements: readonly MarkedSentence[];
	/** The statements are the input itself: there is no question, only a text to continue. */
	readonly isContinuation: boolean;
	/** True where anything was looked up or asked at all. */
	readonly hasSources: boolean;
}

const MAX_PASSAGES = 200;

/** Reads what was prefetched, what calls gave, and the input, which is the last user message. */
export function readSources({ messages, tools = [] }: ChatRequest): Sources {
	const inputAt = messages.map(({ role }) => role).lastIndexOf("user");
	const input = messages[inputAt]?.content ?? "";
	const kinds = new Map(tools.map(({ name, kind }) => [name, kind]));
	const blocks = messages.flatMap((message, index) => (index === inputAt ? [] : toBlocks(message, kinds)));
	const parsedBlocks = blocks.map((block) => ({ ...block, passages: readPassages(block) }));
	const passages = distinctByNumber(parsedBlocks.flatMap((block) => block.passages ?? []));
	const statements = parsedBlocks.flatMap(({ passages, kind, content }) =>
		passages === undefined && kind !== "tool" && kind !== "knowledge" ? readMarkedSentences(content) : [],
	);
	const continued = passages.length + statements.length === 0 ? readMarkedSentences(input) : [];
	return {
		question: toQuestion(input),
		passages,
		statements: continued.length > 0 ? continued : statements,
		isContinuation: continued.length > 0,
		hasSources: parsedBlocks.length > 0,
	};
}

function toBlocks(message: ChatMessage, kinds: ReadonlyMap<string, string | undefined>): DataBlock[] {
	if (message.role === "user")
		// What a run knows about the asker is nothing to quote from.
		return readDataBlocks(message.content).filter(({ kind }) => kind !== "context");
	if (message.role !== "tool" || message.isError) return [];
	return [{ kind: kinds.get(message.name), content: message.content }];
}

/**
 * Reads the passages of a block. Only a knowledge base gives passages; another agent's text of that form is read as
 * text.
 */
const readPassages = ({ kind, content }: DataBlock): SourcePassage[] | undefined =>
	kind === undefined || kind === "knowledge" ? parsePassages(content) : undefined;

function distinctByNumber(passages: readonly SourcePassage[]): SourcePassage[] {
	const byNumber = new Map<number, SourcePassage>();
	for (const passage of passages.slice(0, MAX_PASSAGES))
		if (!byNumber.has(passage.n)) byNumber.set(passage.n, passage);
	return [...byNumber.values()];
}

/** The question in an input that is JSON, as a knowledge base finds it; else the input. */
function toQuestion(input: string): string {
	const text = input.trim();
	if (!text.startsWith("{")) return text;
	const { query } = parseObject(text) ?? {};
	return typeof query === "string" ? query : text;
}
