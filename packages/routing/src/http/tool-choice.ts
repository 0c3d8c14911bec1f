import type { ChatToolChoice } from "@stemma/core";

/** A choice that demands a call. */
export type ForcedChoice = Exclude<ChatToolChoice, "auto" | "none">;

export const isForcedChoice = (choice: ChatToolChoice | undefined): choice is ForcedChoice =>
	choice === "required" || typeof choice === "object";

/** A forced choice in words, for models that have no such field. */
export const toChoiceInstruction = (choice: ForcedChoice): string =>
	choice === "required"
		? "In this turn, call at least one of the tools. Do not reply in words."
		: `In this turn, call the tool ${JSON.stringify(choice.name)}. Do not reply in words.`;
