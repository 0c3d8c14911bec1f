import type { RunShareField, Scope } from "@stemma/client";
import type { Caller } from "../auth/caller";
import type { StoredRun } from "../runs/stored-run";
import { canSeeInput, visibilityOf } from "../runs/visibility";

/** Fields of a link, in the order in which they are shown. */
export const SHARE_FIELDS = [
	"input",
	"output",
	"links",
	"steps",
	"tools",
	"receipt",
] as const satisfies readonly RunShareField[];

/** Fields without which another one shows nothing. */
export const REQUIRED_FIELDS: { readonly [Field in RunShareField]?: RunShareField } = {
	links: "output",
	tools: "steps",
};

/** Scope by which a caller sees all fields. */
export const TRACE_SCOPE: Scope = "agents:trace";

/** Lists those of some fields of a run that a caller may see: nobody shares more than that. */
export function listVisibleFields(
	caller: Caller,
	run: StoredRun,
	fields: readonly RunShareField[],
): readonly RunShareField[] {
	const visibility = visibilityOf(caller);
	const isVisible: { readonly [Field in RunShareField]: boolean } = {
		input: canSeeInput(caller, run),
		output: true,
		links: true,
		steps: visibility === "trace",
		tools: visibility === "trace",
		receipt: visibility !== "answer",
	};
	return SHARE_FIELDS.filter((field) => fields.includes(field) && isVisible[field]);
}
