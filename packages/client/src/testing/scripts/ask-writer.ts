import type { Citation } from "@stemma/core";
import type { Answer, AskEvent, AskRequest } from "../../types/ask";
import type { FoundPassage } from "../../types/knowledge/search";
import { fillCitation, fillPassage, fillReceiptRow, fillUsage, withDocumentUrls } from "./fill";
import type { ScriptedAskAnswer, ScriptedAskEvent } from "./script";
import { splitWords } from "./split-words";

/** Options of the writer of an answer, which makes events of what a script says. */
export interface AskWriterOptions {
	readonly request: AskRequest;
	readonly isClientKey: boolean;
}

/** Turns what a script says into the events of an answer. */
export class AskWriter {
	readonly #options: AskWriterOptions;
	#seq = 0;
	#answer = "";
	#passages: readonly FoundPassage[] | undefined;
	#isEnded = false;

	constructor(options: AskWriterOptions) {
		this.#options = options;
	}

	/** The last event was written. */
	get isEnded(): boolean {
		return this.#isEnded;
	}

	/** The events that this makes; none after the last. */
	write(scripted: ScriptedAskEvent): AskEvent[] {
		if (this.#isEnded) return [];
		if (typeof scripted === "string") return [...this.#writePassages([]), this.#writeText(scripted)];
		if ("answer" in scripted) return this.#end(scripted);
		if (!("error" in scripted))
			return scripted.type === "text.reset" ? [this.#reset()] : this.#writePassages(scripted.passages);
		this.#isEnded = true;
		return [{ type: "ask.failed", seq: this.#nextSeq(), error: scripted.error }];
	}

	/** Completes the answer with the text so far, unless it has ended. */
	complete(): AskEvent[] {
		return this.#isEnded ? [] : this.#end({ answer: this.#answer });
	}

	#nextSeq(): number {
		this.#seq += 1;
		return this.#seq;
	}

	/** The first event of an answer, unless the script said it. */
	#writePassages(found: readonly Partial<FoundPassage>[]): AskEvent[] {
		if (this.#passages !== undefined) return [];
		const [knowledgeBaseId] = this.#options.request.knowledge_base_ids ?? [];
		const filled = found.map((passage, index) => fillPassage(passage, index, knowledgeBaseId));
		const passages = this.#options.isClientKey ? withDocumentUrls(filled) : filled;
		this.#passages = passages;
		return [{ type: "ask.passages", seq: this.#nextSeq(), passages }];
	}

	#writeText(text: string): AskEvent {
		this.#answer += text;
		return { type: "text.delta", seq: this.#nextSeq(), text };
	}

	#reset(): AskEvent {
		this.#answer = "";
		return { type: "text.reset", seq: this.#nextSeq() };
	}

	#end(scripted: ScriptedAskAnswer): AskEvent[] {
		const citations = (scripted.citations ?? []).map(fillCitation);
		const events = this.#writePassages(
			scripted.passages ?? citations.map(({ n: _, support, ...passage }) => passage),
		);
		if (!scripted.answer.startsWith(this.#answer)) events.push(this.#reset());
		for (const word of splitWords(scripted.answer.slice(this.#answer.length)))
			events.push(this.#writeText(word));
		const answer = this.#toAnswer(scripted, citations);
		this.#isEnded = true;
		return [...events, { type: "ask.completed", seq: this.#nextSeq(), answer }];
	}

	#toAnswer({ receipt, usage, refused }: ScriptedAskAnswer, citations: readonly Citation[]): Answer {
		const { request, isClientKey } = this.#options;
		const filledUsage = fillUsage(usage ?? {}, JSON.stringify(request), this.#answer);
		const { input_tokens, output_tokens } = filledUsage;
		const rows = receipt ?? [{ node: "answer", input_tokens, output_tokens }];
		return {
			answer: this.#answer,
			...(request.store === true && { answer_id: "ans_1", answer_token: "at_1" }),
			citations: isClientKey ? withDocumentUrls(citations) : citations,
			passages: this.#passages ?? [],
			receipt: isClientKey ? [] : rows.map(fillReceiptRow),
			usage: filledUsage,
			...(refused && { refused }),
		};
	}
}
