import type { LookupAddress } from "node:dns";
import { BlockedAddressError } from "./blocked-address-error";
import { parseCallUrl } from "./call-target";
import { createCallTimer } from "./call-timer";
import type { CheckedClient } from "./checked-client";
import type { ConnectorOptions, LookupAll } from "./checked-connector";
import { createDnsLookup } from "./dns-lookup";
import { toLimitedResponse } from "./limited-response";
import type { OutboundAllow } from "./outbound-allow";
import { OutboundError } from "./outbound-error";
import { assertAddressesAllowed, assertTargetAllowed } from "./outbound-policy";

/** Options of the outbound gate: what may be called, and for how long. */
export interface OutboundGateOptions {
	/** Allowlist of the operator; see {@link parseOutboundAllow}. */
	readonly allow: OutboundAllow;
	/** The service itself listens on loopback alone: loopback may be called then. */
	readonly allowLoopback: boolean;
	/** Default: name servers, and the system for names that the operator opened. */
	readonly lookup?: LookupAll | undefined;
	readonly limits?: OutboundLimits | undefined;
}

const MEBIBYTE = 1024 * 1024;
const MAX_CONNECT_MS = 10_000;
const MAX_CALL_MS = 600_000;
const MAX_RESPONSE_BYTES = 4 * MEBIBYTE;
/** Maximum size of an event stream, which is used as it arrives. */
const MAX_STREAM_BYTES = 64 * MEBIBYTE;

export interface OutboundLimits {
	/** Timeout from the lookup of a name until a connection is established, in milliseconds. Default 10,000. */
	readonly connectMs?: number | undefined;
	/** Timeout until the response is complete, also where it streams, in milliseconds. Default 600,000. */
	readonly totalMs?: number | undefined;
	/**
	 * Maximum size of a response as it is read, after decompression. Several of them are held in memory at once, and no
	 * model writes so much. Default 4 MiB.
	 */
	readonly maxResponseBytes?: number | undefined;
}

/** The one way out, for every address that somebody else than the operator chose. */
export interface OutboundGate {
	/**
	 * Calls a URL like the platform's `fetch`, over connections that are kept and used again. No redirect is followed:
	 * with `redirect: "manual"` the redirect is the response, else an OutboundError is thrown. Proxies that the
	 * environment names are not used. Bodies may be of any kind but `FormData`. A `host` header is left out.
	 *
	 * @throws BlockedAddressError before anything was sent; OutboundError where the response exceeds a limit, also from
	 * its body; the reason that the `signal` was aborted with; else a TypeError, as the platform does.
	 */
	readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
	/**
	 * Checks that a URL may be called, for settings. The addresses of its name are looked up; a name without addresses
	 * may get some later, and is checked again then.
	 *
	 * @throws BlockedAddressError
	 */
	check(url: string): Promise<void>;
	/** Ends all calls and connections; later calls fail. */
	close(): Promise<void>;
}

export function createOutboundGate(options: OutboundGateOptions): OutboundGate {
	const { lookup = createDnsLookup(options.allow), limits = {} } = options;
	const { connectMs = MAX_CONNECT_MS, totalMs = MAX_CALL_MS } = limits;
	const { maxResponseBytes = MAX_RESPONSE_BYTES } = limits;
	const client = createLazyClient({ policy: options, lookup, connectMs });

	async function fetch(text: string, init: RequestInit = {}): Promise<Response> {
		const { url, target } = parseCallUrl(text);
		assertTargetAllowed(target, options);
		const { signal, end } = createCallTimer(totalMs, init.signal);
		try {
			const response = await client.fetch(url.href, { ...init, signal });
			if (init.redirect !== "manual" && REDIRECTS.has(response.status)) {
				response.body?.cancel().catch(() => undefined);
				throw toRedirectError();
			}
			const maxBytes = isStream(response.headers.get("content-type")) ? MAX_STREAM_BYTES : maxResponseBytes;
			return toLimitedResponse(response, { maxBytes, onEnd: end });
		} catch (error) {
			end();
			throw findBlockedError(error) ?? error;
		}
	}

	async function check(text: string): Promise<void> {
		const { url, target } = parseCallUrl(text);
		assertTargetAllowed(target, options);
		if (target.address === undefined)
			assertAddressesAllowed(await resolveAddresses(url.hostname, lookup, connectMs), target, options);
	}

	return { fetch, check, close: client.destroy };
}

/** Creates a client that is loaded for its first call: it takes several MiB, and many services call nobody this way. */
function createLazyClient(options: ConnectorOptions): CheckedClient {
	let loading: Promise<CheckedClient> | undefined;
	let isDestroyed = false;
	async function load(): Promise<CheckedClient> {
		const { createCheckedClient } = await import("./checked-client");
		const client = createCheckedClient(options);
		if (isDestroyed) await client.destroy();
		return client;
	}
	return {
		async fetch(url, init) {
			loading ??= load();
			return (await loading).fetch(url, init);
		},
		async destroy() {
			isDestroyed = true;
			await (await loading)?.destroy();
		},
	};
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const toRedirectError = (): OutboundError =>
	new OutboundError(
		"redirect_refused",
		"The called address responded with a redirect, which is not followed: credentials are sent only to the address that was set.",
		"Set the address that the redirect leads to.",
	);

/** Finds the error of the connector, which is the cause of a `fetch failed`. */
const findBlockedError = (error: unknown): unknown =>
	error instanceof Error && BlockedAddressError.is(error.cause) ? error.cause : undefined;

/** An answer that is used as it comes, and not kept whole. */
const isStream = (contentType: string | null): boolean =>
	/^(?:text\/event-stream|application\/vnd\.amazon\.eventstream)\b/i.test(contentType ?? "");

/** The addresses of a name; none where there are none, or not soon. */
function resolveAddresses(
	host: string,
	lookup: LookupAll,
	timeoutMs: number,
): Promise<readonly LookupAddress[]> {
	return new Promise((resolve) => {
		const timer = setTimeout(() => resolve([]), timeoutMs);
		lookup(host, { all: true }, (error, addresses) => {
			clearTimeout(timer);
			resolve(error === null ? addresses : []);
		});
	});
}
