import type { Approval } from "@stemma/core";

/** Call of a tool, an agent or a knowledge base by a model, as front ends show it. */
export interface OpenCall {
	/** Unique in the run, and the same each time its events are read: ids of vendors repeat. */
	readonly id: string;
	/** Node that is called. */
	readonly callee: string;
	/** Arguments, as text: those that the model wrote, then those that it is approved with. */
	input: string;
	/** Approval that was asked for. */
	approvalId?: string;
}

interface CalledEvent {
	readonly invocation: number;
	readonly callee: string;
	readonly seq: number;
	readonly arguments: object;
}

interface StartedEvent {
	readonly invocation: number;
	readonly parent?: number;
	readonly node: string;
	readonly mode: string;
}

/** Calls of a run that have no result yet. Calls of one callee by one invocation start in the order in which they were made. */
export class RunCalls {
	readonly #queued = new Map<string, OpenCall[]>();
	readonly #open = new Map<number, OpenCall>();

	add({ invocation, callee, seq, arguments: input }: CalledEvent): OpenCall {
		const call = { id: `call_${seq}`, callee, input: JSON.stringify(input) };
		const key = `${invocation} ${callee}`;
		const queued = this.#queued.get(key);
		if (queued === undefined) this.#queued.set(key, [call]);
		else queued.push(call);
		return call;
	}

	/** Takes the call that an invocation is for; none, where no model called it. Others start before a call of theirs, or after it. */
	start({ invocation, parent, node, mode }: StartedEvent): OpenCall | undefined {
		const call = this.#queued.get(`${parent} ${node}`)?.shift();
		if (call !== undefined && mode === "call") this.#open.set(invocation, call);
		return call;
	}

	/** Takes the call whose invocation has ended. */
	end(invocation: number): OpenCall | undefined {
		const call = this.#open.get(invocation);
		this.#open.delete(invocation);
		return call;
	}

	/** Lists all calls that have not ended. */
	list(): readonly OpenCall[] {
		return [...this.#queued.values(), ...this.#open.values()].flat();
	}

	/**
	 * Gets the call that waits for an approval. Ids of approvals are `apr_` and the invocation. A node that no model has
	 * called, or whose call the caller does not see, has a new call: its input is empty.
	 */
	getApproved({ id, node }: Approval): OpenCall {
		const invocation = Number(id.slice(4));
		const open = this.#open.get(invocation);
		if (open?.callee === node) return open;
		const call = { id, callee: node, input: "" };
		this.#open.set(invocation, call);
		return call;
	}
}
