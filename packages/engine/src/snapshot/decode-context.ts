import type { Json, ReceiptRow } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { RetrievedPassage } from "../io/ports";
import type { Invocation } from "../nodes/invocation";
import type { RunState } from "../run/run-state";
import { invalidField, isNumber, type SavedFields } from "./saved-fields";

/** Parts of a saved run that were read so far, to which its references point. */
export interface DecodeContext {
	readonly run: RunState;
	readonly read: (written: unknown, path: string) => Json;
	/** The open ones, by id. */
	readonly byId: Map<number, Invocation>;
}

export function readInvocation({ byId }: DecodeContext, fields: SavedFields, name: string): Invocation {
	const found = byId.get(fields.count(name));
	if (found === undefined) throw invalidField(`${fields.path}.${name}`, "the id of an open invocation");
	return found;
}

export function readPassage(value: unknown, path: string): RetrievedPassage {
	if (!isJsonObject(value) || typeof value.text !== "string") throw invalidField(path, "a passage");
	// Retrievers are not asked for more.
	return value as object as RetrievedPassage;
}

export function readRow(value: unknown, path: string): ReceiptRow {
	const isRow = isJsonObject(value) && isNumber(value.input_tokens) && isNumber(value.output_tokens);
	if (!isRow) throw invalidField(path, "a row of a receipt");
	// Only these figures are reckoned with.
	return value as object as ReceiptRow;
}
