import type { ApprovalDecision } from "@stemma/core";
import { endOfJournal } from "./end-of-journal";
import type { Journal } from "./journal";

/** Step of a workflow, as DBOS lists it. */
export interface StoredStep {
	readonly functionID: number;
	readonly name: string;
	readonly output: unknown;
}

/** Steps of a run that is over, to be read once more: what comes after them is not made. */
export function createStoredJournal(steps: readonly StoredStep[]): Journal {
	const byId = new Map(steps.map((step) => [step.functionID, step]));
	let next = 0;
	const take = (count: number): StoredStep | undefined => {
		const found = byId.get(next);
		next += count;
		return found;
	};
	return {
		isOpen: false,
		step<Value>(name: string, perform: () => Promise<Value>): Promise<Value> {
			const stored = take(1);
			// It was stored by a step of this name, which gave a value of this type.
			return stored?.name === name ? Promise.resolve(stored.output as Value) : perform();
		},
		async showApprovals() {
			take(1);
		},
		async receiveDecisions() {
			// DBOS stores the message as one step, and the end of the waiting as another.
			const stored = take(2);
			if (stored === undefined) throw endOfJournal();
			return (stored.output as readonly ApprovalDecision[] | null) ?? undefined;
		},
		isCancellation: () => true,
	};
}
