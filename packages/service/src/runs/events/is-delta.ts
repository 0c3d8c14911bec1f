import type { EventRecord } from "@stemma/runs";

/** Checks for an event that is a part of what a call answers: nothing else of its run changes with it. */
export const isDelta = (type: EventRecord["type"]): boolean =>
	type === "text.delta" || type === "reasoning.delta";
