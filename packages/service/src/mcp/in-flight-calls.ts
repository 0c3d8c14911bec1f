import { createHash } from "node:crypto";
import type { RequestScope } from "../request-scope";
import type { InstanceBus } from "../store/claims/instance-bus";

/** Request with the id of its session; `undefined` where its client has none. */
export interface McpScope extends RequestScope {
	readonly session: string | undefined;
	/** Aborts when the access of the caller has ended. */
	readonly ended: AbortSignal;
}

type CallOwner = Pick<McpScope, "caller" | "session">;

/** A request of JSON-RPC has an id of its client's choice. */
export type RpcId = string | number;

/**
 * Calls that a client of the era before 2026-07-28 may give up by `notifications/cancelled`, which comes as a request of
 * its own. A session is nothing but what tells apart the clients that share a credential; none is kept.
 */
export interface InFlightCalls {
	/** Runs a call with a signal that aborts when its client gives it up. */
	track<Result>(owner: CallOwner, id: RpcId, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
	/** Ends a call of this caller and session, if there is one, on whichever instance it is. */
	cancel(owner: CallOwner, id: RpcId): void;
}

const CANCEL_TOPIC = "mcp-cancel";

/** @param onError - receives what kept other instances from being told of a cancelled call. */
export function createInFlightCalls(bus: InstanceBus, onError: (error: unknown) => void): InFlightCalls {
	const calls = new Map<string, AbortController>();
	function cancelHere(key: unknown): boolean {
		const controller = typeof key === "string" ? calls.get(key) : undefined;
		controller?.abort(new DOMException("The client has cancelled the call.", "AbortError"));
		return controller !== undefined;
	}
	bus.subscribe(CANCEL_TOPIC, cancelHere);
	return {
		async track(owner, id, work) {
			const controller = new AbortController();
			const name = toKey(owner, id);
			if (name !== undefined) calls.set(name, controller);
			try {
				return await work(controller.signal);
			} finally {
				if (name !== undefined && calls.get(name) === controller) calls.delete(name);
			}
		},
		cancel(owner, id) {
			const key = toKey(owner, id);
			if (key !== undefined && !cancelHere(key)) void bus.publish(CANCEL_TOPIC, key).catch(onError);
		},
	};
}

/**
 * Creates the key of a call in flight, short enough for a message; `undefined` without a session, because other clients
 * with this credential use the same ids.
 */
function toKey({ caller, session }: CallOwner, id: RpcId): string | undefined {
	if (session === undefined) return undefined;
	return createHash("sha256")
		.update(JSON.stringify([caller.id, session, id]))
		.digest("base64url");
}
