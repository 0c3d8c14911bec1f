import type { Answer, AskEvent, AskRequest } from "../types/ask";
import type { FoundPassage } from "../types/search";
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

	function number(event: UnnumberedAskEvent): AskEvent {
		seq += 1;
		return { ...event, seq } as AskEvent;
	}

	/** The first event of an answer, unless the script said it. */
	function show(said: readonly Partial<FoundPassage>[]): AskEvent[] {
		if (passages !== undefined) return [];
		const [knowledgeBaseId] = request.knowledge_base_ids ?? [];
		passages = said.map((passage, index) => fillPassage(passage, index, knowledgeBaseId));
		return [number({ type: "ask.passages", passages })];
	}

	function say(text: string): AskEvent {
		answer += text;
		return number({ type: "text.delta", text });
	}

	function reset(): AskEvent {
		answer = "";
		return number({ type: "text.reset" });
	}

	function end(said: ScriptedAskAnswer): AskEvent[] {
		const citations = (said.citations ?? []).map((citation, index) => fillCitation(citation, index));
		const shown = show(said.passages ?? citations.map(({ n: _, support, ...passage }) => passage));
		const taken = said.answer.startsWith(answer) ? [] : [reset()];
		const words = splitWords(said.answer.slice(answer.length)).map(say);
		const usage = fillUsage(said.usage ?? {}, JSON.stringify(request), answer);
		const { input_tokens, output_tokens } = usage;
		const rows = said.receipt ?? [{ node: "answer", input_tokens, output_tokens }];
		const receipt = rows.map(fillReceiptRow);
		const whole: Answer = {
			answer,
			citations,
			passages: passages ?? [],
			receipt: isClientKey ? [] : receipt,
			usage,
			...(said.refused === undefined ? {} : { refused: said.refused }),
		};
		isEnded = true;
		return [...shown, ...taken, ...words, number({ type: "ask.completed", answer: whole })];
	}

	function write(scripted: ScriptedAskEvent): AskEvent[] {
		if (isEnded) return [];
		if (typeof scripted === "string") return [...show([]), say(scripted)];
		if ("answer" in scripted) return end(scripted);
		if (!("error" in scripted)) return scripted.type === "text.reset" ? [reset()] : show(scripted.passages);
		isEnded = true;
		return [number({ type: "ask.failed", error: scripted.error })];
	}

	return {
		get isEnded() {
			return isEnded;
		},
		write,
		complete: () => (isEnded ? [] : end({ answer })),
	};
}
