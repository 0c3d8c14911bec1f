import type { Json, ReceiptRow } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { Invocation } from "./invocation";
import type { RetrievedPassage } from "./ports";
import type { RunState } from "./run-state";
import { invalidRun, type SavedFields } from "./saved-fields";

/** What is read of a saved run so far, and what its references mean. */
export interface SavedParts {
	readonly run: RunState;
	readonly read: (written: unknown, place: string) => Json;
	/** The open ones, by id. */
	readonly byId: Map<number, Invocation>;
}

export function readInvocation({ byId }: SavedParts, fields: SavedFields, name: string): Invocation {
	const found = byId.get(fields.count(name));
	if (found === undefined) throw invalidRun(`${fields.place}.${name}`, "the id of an open invocation");
	return found;
}

export function readPassage(value: unknown, place: string): RetrievedPassage {
	if (!isJsonObject(value) || typeof value.text !== "string") throw invalidRun(place, "a passage");
	// Retrievers are not asked for more.
	return value as object as RetrievedPassage;
}

export function readRow(value: unknown, place: string): ReceiptRow {
	const isRow = isJsonObject(value) && isNumber(value.input_tokens) && isNumber(value.output_tokens);
	if (!isRow) throw invalidRun(place, "a row of a receipt");
	// Only these figures are reckoned with.
	return value as object as ReceiptRow;
}

const isNumber = (value: unknown): boolean => Number.isFinite(value);
