import type { NewTurn, TurnFacts } from "../../threads/new-turn";
import type { NewThread } from "../../threads/stored-thread";

/** Thread of the client `cl_1`, created at 1. */
export const toNewThread = (id: string, parts: Partial<NewThread> = {}): NewThread => ({
	id,
	title: null,
	metadata: {},
	owner_kind: "client",
	owner_id: "cl_1",
	agent_id: null,
	created_at: 1,
	...parts,
});

/** Message `q<number>` of the thread `thr_1` with the answer `a<number>`, behind the newest message, at 2. */
export const toNewTurn = (
	number: number,
	{ parentId, ...parts }: Partial<NewTurn> & { readonly parentId?: string | null } = {},
): NewTurn => ({
	threadId: "thr_1",
	question: { kind: "new", id: `q${number}`, text: `Question ${number}`, parentId, title: `Title ${number}` },
	answerId: `a${number}`,
	runId: null,
	at: 2,
	assertAllowed: () => undefined,
	...parts,
});

/** Answer `a<number>` that is written again, as another one. */
export const toRepeatedTurn = (number: number, answerId: string, parts: Partial<NewTurn> = {}): NewTurn =>
	toNewTurn(number, { question: { kind: "stored", id: `q${number}` }, answerId, ...parts });

/** Records the facts that a turn is checked by. */
export function recordFacts(): {
	readonly facts: TurnFacts[];
	readonly assertAllowed: NewTurn["assertAllowed"];
} {
	const facts: TurnFacts[] = [];
	return { facts, assertAllowed: (seen) => void facts.push(seen) };
}
