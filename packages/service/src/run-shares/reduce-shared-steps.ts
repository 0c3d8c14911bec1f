import type { SharedRunError, SharedRunStep, WireRunEvent } from "@stemma/client";
import type { NodeKind, RunError } from "@stemma/core";

/** Steps of a run so far, by invocation, in the order of their start. */
export type SharedSteps = ReadonlyMap<number, SharedRunStep>;

/** Types of events that steps are made of; all others need not be parsed. */
export const STEP_EVENTS: ReadonlySet<WireRunEvent["type"]> = new Set([
	"node.started",
	"node.completed",
	"node.failed",
]);

/** Kinds of nodes that show what was asked and returned. What knowledge returns are documents, which no link shows. */
const CALLED_KINDS: ReadonlySet<NodeKind> = new Set(["tool", "remote"]);

/**
 * Adds an event to the steps of a run. Only what is named here gets into them.
 *
 * @param showsTools - adds arguments and results of tools and other agents.
 */
export function addSharedStep(
	steps: Map<number, SharedRunStep>,
	event: WireRunEvent,
	showsTools: boolean,
): void {
	if (event.type === "node.started") {
		const { invocation, parent, node, kind, at, input } = event;
		steps.set(invocation, {
			...{ invocation, node, kind, status: "stopped", started_at: at, ended_at: null },
			...(parent !== undefined && { parent }),
			...(showsTools && CALLED_KINDS.has(kind) && { input }),
		});
		return;
	}
	if (event.type !== "node.completed" && event.type !== "node.failed") return;
	const step = steps.get(event.invocation);
	if (step === undefined) return;
	const ended = { ...step, ended_at: event.at };
	if (event.type === "node.failed")
		steps.set(event.invocation, {
			...ended,
			status: "failed",
			error: toSharedError(event.error, showsTools && CALLED_KINDS.has(step.kind)),
		});
	else
		steps.set(event.invocation, {
			...ended,
			status: "completed",
			...(showsTools && CALLED_KINDS.has(step.kind) && { output: event.output }),
		});
}

/** Reduces an error to its code, as its message may have what a tool or a vendor said. @param isWhole - keeps the message. */
export const toSharedError = ({ code, message }: RunError, isWhole: boolean): SharedRunError => ({
	code,
	message: isWhole ? message : "This step failed.",
});
