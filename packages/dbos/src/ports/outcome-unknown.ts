import { StemmaError } from "@stemma/core";

/** Error of a call that was started in a process that ended before the outcome was stored: the engine's own, in its words. */
export const outcomeUnknown = (node: string): StemmaError =>
	new StemmaError(
		`"${node}" was called, and the run was interrupted before its result came: the outcome is unknown. It was not called again.`,
		{ code: "outcome_unknown", hint: "Find out whether it took effect before you repeat it." },
	);
