import type { Answer, AskEvent, AskRequest } from "../../types/ask";
import type { FoundPassage } from "../../types/search";
import { fillCitation, fillPassage, fillReceiptRow, fillUsage } from "./fill";
import type { ScriptedAskAnswer, ScriptedAskEvent } from "./script";
import { splitWords } from "./split-words";

/** Turns what a script says into the events of an answer. */
export interface AskWriter {
	/** The last event was written. */
	readonly isEnded: boolean;
	/** The events that this makes; none after the last. */
	write(scripted: ScriptedAskEvent): AskEvent[];
	/** Completes the answer with the text so far, unless it has ended. */
	complete(): AskEvent[];
}

export interface AskWriterOptions {
	readonly request: AskRequest;
	readonly isClientKey: boolean;
}

type UnnumberedAskEvent = AskEvent extends infer Event
	? Event extends AskEvent
		? Omit<Event, "seq">
		: never
	: never;

export function createAskWriter({ request, isClientKey }: AskWriterOptions): AskWriter {
	let seq = 0;
	let answer = "";
	let passages: readonly FoundPassage[] | undefined;
	let isEnded = false;

	function addSeq(event: UnnumberedAskEvent): AskEvent {
		seq += 1;
		return { ...event, seq } as AskEvent;
	}

	/** The first event of an answer, unless the script said it. */
	function writePassages(found: readonly Partial<FoundPassage>[]): AskEvent[] {
		if (passages !== undefined) return [];
		const [knowledgeBaseId] = request.knowledge_base_ids ?? [];
		passages = found.map((passage, index) => fillPassage(passage, index, knowledgeBaseId));
		return [addSeq({ type: "ask.passages", passages })];
	}

	function writeText(text: string): AskEvent {
		answer += text;
		return addSeq({ type: "text.delta", text });
	}

	function reset(): AskEvent {
		answer = "";
		return addSeq({ type: "text.reset" });
	}

	function end(scripted: ScriptedAskAnswer): AskEvent[] {
		const citations = (scripted.citations ?? []).map((citation, index) => fillCitation(citation, index));
		const passageEvents = writePassages(
			scripted.passages ?? citations.map(({ n: _, support, ...passage }) => passage),
		);
		const resetEvents = scripted.answer.startsWith(answer) ? [] : [reset()];
		const textEvents = splitWords(scripted.answer.slice(answer.length)).map(writeText);
		const usage = fillUsage(scripted.usage ?? {}, JSON.stringify(request), answer);
		const { input_tokens, output_tokens } = usage;
		const rows = scripted.receipt ?? [{ node: "answer", input_tokens, output_tokens }];
		const receipt = rows.map(fillReceiptRow);
		const completeAnswer: Answer = {
			answer,
			citations,
			passages: passages ?? [],
			receipt: isClientKey ? [] : receipt,
			usage,
			...(scripted.refused === undefined ? {} : { refused: scripted.refused }),
		};
		isEnded = true;
		return [
			...passageEvents,
			...resetEvents,
			...textEvents,
			addSeq({ type: "ask.completed", answer: completeAnswer }),
		];
	}

	function write(scripted: ScriptedAskEvent): AskEvent[] {
		if (isEnded) return [];
		if (typeof scripted === "string") return [...writePassages([]), writeText(scripted)];
		if ("answer" in scripted) return end(scripted);
		if (!("error" in scripted))
			return scripted.type === "text.reset" ? [reset()] : writePassages(scripted.passages);
		isEnded = true;
		return [addSeq({ type: "ask.failed", error: scripted.error })];
	}

	return {
		get isEnded() {
			return isEnded;
		},
		write,
		complete: () => (isEnded ? [] : end({ answer })),
	};
}
