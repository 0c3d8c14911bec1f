import { setImmediate } from "node:timers/promises";
import type { Approval, ApprovalDecision } from "@stemma/core";
import type { Journal } from "../journal/journal";

/** Entries that the executions of one run have stored, as a database would have them. */
export interface MemoryStorage {
	/** Name and JSON of each step, by its number. */
	readonly steps: Map<number, { readonly name: string; readonly json: string }>;
	readonly messages: (readonly ApprovalDecision[])[];
	approvals: readonly Approval[];
	/** Number of writes so far. */
	writes: number;
}

export const createStorage = (): MemoryStorage => ({
	steps: new Map(),
	messages: [],
	approvals: [],
	writes: 0,
});

/** Error of everything that an execution does after its process was killed. */
export class Killed extends Error {}

/** Name of the steps that receive messages. */
const DECISIONS = "decisions";

/** Options of {@link createMemoryJournal}. */
export interface MemoryJournalOptions {
	/** The process is killed at this write: it is stored, or it is not. Default: never. */
	readonly kill?: { readonly at: number; readonly isStored: boolean };
	/** How many turns of the event loop each access takes; a number for each. Default: none. */
	readonly delays?: Iterator<number>;
}

/** A journal in memory: an execution that is killed leaves its storage to the next one. */
export function createMemoryJournal(
	storage: MemoryStorage,
	{ kill, delays }: MemoryJournalOptions = {},
): Journal {
	let next = 0;
	let isKilled = false;

	async function access(): Promise<void> {
		for (let turns = delays?.next().value ?? 0; turns > 0; turns -= 1) await setImmediate();
		if (isKilled) throw new Killed();
	}

	async function store(id: number, name: string, value: unknown): Promise<void> {
		await access();
		storage.writes += 1;
		isKilled = storage.writes === kill?.at;
		if (!isKilled || kill?.isStored === true) {
			storage.steps.set(id, { name, json: JSON.stringify(value) ?? "null" });
			// In one transaction, as DBOS does.
			if (name === DECISIONS) storage.messages.shift();
		}
		if (isKilled) throw new Killed();
	}

	async function step<Value>(name: string, perform: () => Promise<Value>): Promise<Value> {
		const id = next;
		next += 1;
		await access();
		if (!storage.steps.has(id)) await store(id, name, await perform());
		const stored = storage.steps.get(id);
		if (stored?.name !== name) throw new Error(`Step ${id} is "${name}", and "${stored?.name}" was stored.`);
		return JSON.parse(stored.json) as Value;
	}

	return {
		isOpen: true,
		step: (name, perform) => step(name, () => perform()),
		async showApprovals(approvals) {
			await step("approvals", async () => null);
			storage.approvals = approvals;
		},
		receiveDecisions: async (ms) =>
			(await step(DECISIONS, async () => {
				const end = Date.now() + ms;
				while (storage.messages.length === 0 && Date.now() < end && !isKilled) await setImmediate();
				return storage.messages[0] ?? null;
			})) ?? undefined,
		isCancellation: () => false,
	};
}
