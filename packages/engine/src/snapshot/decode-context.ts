import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { RetrievedPassage } from "../io/ports";
import type { Invocation } from "../nodes/invocation";
import type { RunState } from "../run/run-state";
import { invalidField, isText, type SavedFields } from "./saved-fields";

/** Parts of a saved run that were read so far, to which its references point. */
export interface DecodeContext {
	readonly run: RunState;
	readonly read: (written: Json | undefined, path: string) => Json;
	/** The open ones, by id. */
	readonly byId: Map<number, Invocation>;
}

export function readInvocation({ byId }: DecodeContext, fields: SavedFields, name: string): Invocation {
	const found = byId.get(fields.count(name));
	if (found === undefined) throw invalidField(`${fields.path}.${name}`, "the id of an open invocation");
	return found;
}

export function readPassage(value: Json, path: string): RetrievedPassage {
	if (!isPassage(value)) throw invalidField(path, "a passage");
	return value;
}

/** Retrievers are not asked for more. */
const isPassage = (value: unknown): value is RetrievedPassage => isJsonObject(value) && isText(value.text);
