import type { JsonObject } from "@stemma/core";
import type { McpOptions } from "../mcp-client";
import { McpError } from "../mcp-error";
import type { RpcParams } from "../wire";
import type { Era, EraCall, McpProtocol, McpServer } from "./era";
import type { McpEndpoint } from "./exchange";
import { createModernEra } from "./modern-era";
import { type NegotiationResult, negotiate, type Probe } from "./negotiate";

/** The way to one server. What does no harm twice goes out again when its answer broke off. */
export interface Connection {
	/** `undefined` until it is negotiated. */
	readonly protocol: McpProtocol | undefined;
	/** Returns which protocol the server speaks; negotiated the first time, by `probe`. */
	ensureNegotiated(probe: Probe): Promise<NegotiationResult>;
	/** @param negotiated - what was just found out: its result is not asked for again. */
	request(
		negotiated: NegotiationResult,
		method: "tools/list" | "tools/call",
		params: RpcParams,
		call: EraCall,
	): Promise<JsonObject>;
	server(call: EraCall): Promise<McpServer>;
	close(): Promise<void>;
}

/** @param onMessage - of the server, to what nobody asked for. */
export function createConnection(
	endpoint: McpEndpoint,
	protocol: McpOptions["protocol"],
	onMessage: EraCall["onMessage"],
): Connection {
	const modern = createModernEra(endpoint);
	let era = protocol === "modern" ? modern : undefined;
	let inFlight: Promise<NegotiationResult> | undefined;

	async function openLegacy(): Promise<Era> {
		const { openLegacyEra } = await import("../lazy-parts");
		return openLegacyEra(endpoint);
	}

	async function startNegotiation(probe: Probe): Promise<NegotiationResult> {
		const negotiated =
			protocol === "legacy"
				? { era: await openLegacy() }
				: await negotiate(modern, openLegacy, probe, { options: {}, onMessage });
		era = negotiated.era;
		return negotiated;
	}

	/** The verdict is shared, so that no caller's signal reaches it; a failure is not kept. */
	async function ensureNegotiated(probe: Probe): Promise<NegotiationResult> {
		if (era !== undefined) return { era };
		inFlight ??= retryWhileLost(() => startNegotiation(probe)).finally(() => {
			inFlight = undefined;
		});
		return inFlight;
	}

	async function retryWhileLost<Result>(work: () => Promise<Result>): Promise<Result> {
		for (let retry = 1; ; retry++)
			try {
				return await work();
			} catch (error) {
				const isLost = McpError.is(error) && /^(no_response|stream_lost)$/.test(error.code);
				if (!isLost || retry > endpoint.client.maxRetries) throw error;
			}
	}

	return {
		get protocol() {
			return era && { revision: era.revision, era: era.protocol };
		},
		ensureNegotiated,
		async request({ era, probe, result }, method, params, call) {
			if (result && probe === method && !("cursor" in params)) return result;
			const send = (): Promise<JsonObject> => era.request(method, params, call);
			return method === "tools/call" ? send() : retryWhileLost(send);
		},
		async server(call) {
			const { era } = await ensureNegotiated("server/discover");
			return retryWhileLost(() => era.server(call));
		},
		async close() {
			await era?.close();
		},
	};
}
