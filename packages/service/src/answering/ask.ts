import type { Answer, AskEvent, AskRequest, FoundPassage } from "@stemma/client";
import { DEFAULT_TOP_K, type ReceiptRow, type RunUsage, type Stage } from "@stemma/core";
import { ApiError } from "../http/api-error";
import type { Knowledge } from "../knowledge/knowledge";
import type { ReceiptCollector } from "../models/collect-receipts";
import { type CallMeter, meterModel } from "../models/metered-model";
import type { ModelRequest, Models } from "../models/models";
import type { LlmSettingsStore } from "../settings/llm-settings";
import type { Database } from "../store/database";
import { answerFromPassages } from "./answer-from-passages";
import { isGoodEnough } from "./relevance";
import { isPlainQuestion, rewriteQuestion } from "./rewrite-question";
import { traceRetrieval } from "./trace-retrieval";

/** A question that was read, and whose knowledge bases are chosen. */
export interface AskedQuestion extends Omit<AskRequest, "history"> {
	readonly knowledge_base_ids: readonly string[];
	/** Oldest first, each message as text. */
	readonly history?: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

export interface AskOptions {
	readonly database: Pick<Database<unknown>, "readJob">;
	readonly knowledge: Pick<Knowledge, "search" | "listModels" | "assertKnowledgeBasesExist">;
	readonly settings: Pick<LlmSettingsStore, "open">;
	readonly models: Models;
	/** Has the rows of all calls, also of an answer that failed. */
	readonly receipts: ReceiptCollector;
	/** Whoever asks with a client key may not choose the model. */
	readonly isClientKey: boolean;
	readonly signal: AbortSignal;
	/** Gets the passages and the text as it comes in; not the end. */
	readonly onEvent?: (event: AskProgress) => void;
}

/** An event of an answer without its number. */
export type AskProgress = AskEvent extends infer Event
	? Event extends { readonly type: "ask.passages" | "text.delta" | "text.reset" }
		? Omit<Event, "seq">
		: never
	: never;

/** Those that a question goes through. */
const STAGES: readonly Stage[] = ["rewrite", "embed", "score", "answer"];

const REFUSAL = "The documents hold nothing that answers this question.";

/** Answers a question from knowledge bases, with citations; says so where nothing that was found fits. */
export async function ask(request: AskedQuestion, options: AskOptions): Promise<Answer> {
	try {
		return await answerQuestion(request, options);
	} catch (error) {
		if (options.signal.aborted) throw givenUp();
		throw error;
	}
}

const givenUp = (): ApiError =>
	new ApiError(409, "cancelled", "The question was given up before it was answered.", { hint: "Ask again." });

async function answerQuestion(request: AskedQuestion, options: AskOptions): Promise<Answer> {
	const { meter, rows } = options.receipts;
	const asked: Asked = { ...options, meter, decides: await decide(request, options) };
	const queries = await findQueries(request, asked);
	const { knowledge_base_ids, top_k = DEFAULT_TOP_K } = request;
	const { passages, isGoodEnough, isByMeaning } = await traceRetrieval(
		{ queries, judged: toJudged(request.question, queries), knowledge_base_ids, top_k, scoring: "always" },
		{ ...asked, request: asked.decides },
	);
	options.onEvent?.({ type: "ask.passages", passages });
	// What shares no word with a question may answer it; a model that reads it will tell.
	const isLeftToModel = isByMeaning && passages.length > 0 && !isQuoting(asked);
	if (!(isGoodEnough ?? (isLeftToModel || (await isCovered(queries, request, passages, options)))))
		return refuse(passages, rows, options);
	const before = [...rows];
	const result = await answerFromPassages(request, passages, asked);
	if (result.status !== "completed") throw givenUp();
	return {
		answer: typeof result.output === "string" ? result.output : JSON.stringify(result.output),
		citations: result.citations,
		passages,
		receipt: [...before, ...result.receipt],
		usage: addUsage(result.usage, before),
	};
}

interface Asked extends AskOptions {
	readonly meter: CallMeter;
	/** What decides who is called. */
	readonly decides: ModelRequest;
}

type Deciding = Pick<AskOptions, "settings" | "models" | "isClientKey"> & {
	readonly knowledge: Pick<Knowledge, "listModels" | "assertKnowledgeBasesExist">;
};

/**
 * Refuses at once what would fail before anything was called or paid for: once an answer is streamed, it has no status of
 * its own any more.
 *
 * @throws ApiError for knowledge bases that are not there, and for the choice of a model.
 */
export async function demandAskable(request: AskedQuestion, options: Deciding): Promise<void> {
	await decide(request, options);
}

/** Before anything is called or paid: a missing knowledge base, or a model that may not be chosen, is an error of the request. */
async function decide(
	{ knowledge_base_ids, model }: AskedQuestion,
	{ knowledge, settings, models, isClientKey }: Deciding,
): Promise<ModelRequest> {
	await knowledge.assertKnowledgeBasesExist(knowledge_base_ids);
	const request: ModelRequest = {
		choice: model,
		isClientKey,
		knowledgeBases: await knowledge.listModels(knowledge_base_ids),
		workspace: await settings.open(),
	};
	models.plan(STAGES, request);
	return request;
}

/** What to search for: the question, or what a model makes of it where it does not stand by itself. */
async function findQueries(
	request: AskedQuestion,
	{ models, meter, decides, signal }: Asked,
): Promise<readonly string[]> {
	const [row] = models.plan(["rewrite"], decides);
	if (isPlainQuestion(request) || row === undefined || row.payer === "none") return [request.question];
	const resolved = { ...models.resolve(decides), reason: row.reason };
	return rewriteQuestion(request, meterModel(resolved, meter, "rewrite"), signal);
}

/** The built-in model answers, which quotes whatever it is given. */
const isQuoting = ({ models, decides }: Asked): boolean =>
	models.plan(["answer"], decides).every(({ payer }) => payer === "none");

/** The question as it was asked, and as it stands by itself. */
const toJudged = (question: string, [first = question]: readonly string[]): string =>
	first === question ? question : `${question}\n${first}`;

/** Where nothing judged the passages, their words tell whether one of them can answer. */
async function isCovered(
	queries: readonly string[],
	{ knowledge_base_ids }: AskedQuestion,
	passages: readonly FoundPassage[],
	{ database }: AskOptions,
): Promise<boolean> {
	for (const query of queries)
		if (await isGoodEnough(database, query, knowledge_base_ids, passages)) return true;
	return false;
}

const NO_USAGE: RunUsage = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };

const addUsage = (usage: RunUsage, rows: readonly ReceiptRow[]): RunUsage => ({
	...usage,
	input_tokens: rows.reduce((sum, { input_tokens }) => sum + input_tokens, usage.input_tokens),
	output_tokens: rows.reduce((sum, { output_tokens }) => sum + output_tokens, usage.output_tokens),
	model_calls: usage.model_calls + rows.length,
});

function refuse(
	passages: readonly FoundPassage[],
	receipt: readonly ReceiptRow[],
	{ onEvent }: AskOptions,
): Answer {
	onEvent?.({ type: "text.delta", text: REFUSAL });
	return {
		answer: REFUSAL,
		citations: [],
		passages,
		receipt: [...receipt],
		usage: addUsage(NO_USAGE, receipt),
		refused: "no_relevant_passages",
	};
}
