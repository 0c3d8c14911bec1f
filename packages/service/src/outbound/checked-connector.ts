import type { LookupAddress, LookupAllOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { type CallTarget, toCallTarget } from "./call-target";
import { assertAddressesAllowed, assertTargetAllowed, type OutboundPolicy } from "./outbound-policy";

/** Signature of `lookup` of `node:dns` when it is called for all addresses. */
export type LookupAll = (
	hostname: string,
	options: LookupAllOptions,
	callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface ConnectorOptions {
	readonly policy: OutboundPolicy;
	readonly lookup: LookupAll;
	/** Timeout from the lookup until a connection is established, in milliseconds. */
	readonly connectMs: number;
}

/**
 * Opens connections to checked addresses alone. A name is looked up once, all of its addresses are checked, and one of
 * these is connected to: what the name leads to a moment later does not matter. Node looks up no literal addresses, so
 * these are checked here.
 */
export function createCheckedConnector(options: ConnectorOptions): buildConnector.connector {
	return (destination, callback) => {
		const target = toCallTarget(destination);
		try {
			assertTargetAllowed(target, options.policy);
		} catch (refusal) {
			// Later, as an error of a connection comes.
			queueMicrotask(() => callback(refusal as Error, null));
			return;
		}
		const connect = buildConnector({
			lookup: toCheckedLookup(target, options),
			timeout: options.connectMs,
			// So that it asks for all addresses.
			autoSelectFamily: true,
			maxCachedSessions: 0,
		});
		connect(destination, callback);
	};
}

function toCheckedLookup(target: CallTarget, { policy, lookup }: ConnectorOptions): LookupFunction {
	return (hostname, lookupOptions, callback) =>
		lookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
			try {
				if (error !== null) throw error;
				if (addresses.length === 0) throw Object.assign(new Error("No address."), { code: "ENOTFOUND" });
				assertAddressesAllowed(addresses, target, policy);
			} catch (refusal) {
				callback(refusal as Error, []);
				return;
			}
			callback(null, [...addresses]);
		});
}
