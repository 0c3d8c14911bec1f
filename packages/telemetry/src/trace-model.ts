import type {
	ChatCallOptions,
	ChatEvent,
	ChatModel,
	ChatReply,
	ChatRequest,
	ReceiptRow,
	TokenUsage,
} from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { readErrorRows, toErrorType } from "./error-type";
import {
	type CalledModel,
	nameModelSpan,
	readReplyUsage,
	toCalledModel,
	toModelAttributes,
	toReplyAttributes,
	toRequestAttributes,
	toUsage,
	toUsageAttributes,
} from "./genai-attributes";
import type { StartSpan, TracedSpan } from "./span";
import { claimUsage, isUsageClaimed } from "./trace-context";

/** Options of a model whose calls are recorded as spans. */
export interface TraceModelOptions extends Pick<CalledModel, "payer" | "stage" | "prompt"> {
	/** Gives the span starter of a request, whose spans have their parent; none: the call is not traced. */
	readonly findStarter: (request: ChatRequest) => StartSpan | undefined;
}

/** A model with a `chat` span for each call, from its request to the end of its reply. */
export function traceModel(
	model: ChatModel,
	{ payer, stage, prompt, findStarter }: TraceModelOptions,
): ChatModel {
	const called = { ...toIdentity(model), payer, stage, prompt };
	const open = (request: ChatRequest): ChatSpan | undefined => {
		const start = findStarter(request);
		return start && ChatSpan.start(start, called, request);
	};
	return {
		...toIdentity(model),
		async generate(request, options) {
			const span = open(request);
			if (span === undefined) return model.generate(request, options);
			try {
				const reply = await model.generate(request, { ...options, traceContext: span.traceContext });
				span.finish(reply);
				return reply;
			} catch (error) {
				span.fail(error, options?.signal);
				throw error;
			}
		},
		stream(request, options) {
			const span = open(request);
			return span === undefined ? model.stream(request, options) : traceStream(model, request, options, span);
		},
	};
}

const toIdentity = ({ provider, model, vendorHost }: ChatModel) => ({ provider, model, vendorHost });

async function* traceStream(
	model: ChatModel,
	request: ChatRequest,
	options: ChatCallOptions | undefined,
	span: ChatSpan,
): AsyncGenerator<ChatEvent> {
	try {
		for await (const event of model.stream(request, { ...options, traceContext: span.traceContext })) {
			if (event.type === "finish") span.finish(event.reply);
			else span.recordChunk();
			yield event;
		}
	} catch (error) {
		span.fail(error, options?.signal);
		throw error;
	} finally {
		span.close();
	}
}

/** The span of one call. Ends once, whatever comes first. */
class ChatSpan {
	readonly traceContext;
	readonly #span: TracedSpan;
	readonly #startedAt = clock.now();
	readonly #recordsUsage: boolean;
	#hasStarted = false;
	#isEnded = false;

	private constructor(span: TracedSpan) {
		this.#span = span;
		this.#recordsUsage = !isUsageClaimed(span.traceContext);
		this.traceContext = claimUsage(span.traceContext);
	}

	static start(start: StartSpan, called: CalledModel, request: ChatRequest): ChatSpan | undefined {
		const span = start({
			name: nameModelSpan("chat", called.model),
			kind: "client",
			attributes: { ...toModelAttributes("chat", called), ...toRequestAttributes(request) },
		});
		return span && new ChatSpan(span);
	}

	/** Some text has arrived. */
	recordChunk(): void {
		if (this.#hasStarted) return;
		this.#hasStarted = true;
		this.#span.set({
			"gen_ai.request.stream": true,
			"gen_ai.response.time_to_first_chunk": (clock.now() - this.#startedAt) / 1000,
		});
	}

	finish(reply: ChatReply): void {
		this.#describe(reply.receipt, readReplyUsage(reply));
		this.#span.set(toReplyAttributes(reply));
		this.#end();
	}

	fail(error: unknown, signal: AbortSignal | undefined): void {
		if (this.#isEnded) return;
		const [row] = readErrorRows(error);
		this.#describe(row, row && toUsage(row));
		this.#span.fail(toErrorType(error, "model_failed", signal));
		this.#end();
	}

	/** Ends the span where the reader of the stream wants no more of it. */
	close(): void {
		if (!this.#isEnded) this.#span.fail("cancelled");
		this.#end();
	}

	/** Adds the model and the payer, which the receipt tells, and the usage to the span. */
	#describe(row: ReceiptRow | undefined, usage: TokenUsage | undefined): void {
		if (row !== undefined) this.#span.set(toModelAttributes("chat", toCalledModel(row)));
		if (usage !== undefined && this.#recordsUsage) this.#span.set(toUsageAttributes(usage));
	}

	#end(): void {
		if (!this.#isEnded) this.#span.end();
		this.#isEnded = true;
	}
}
