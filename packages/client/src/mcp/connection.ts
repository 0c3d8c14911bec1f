import type { JsonObject } from "@stemma/core";
import { createCallGuard } from "../call-guard";
import { TimeoutError } from "../errors";
import { type Era, type EraCall, type McpProtocol, type McpServer, readServer, withMeta } from "./era";
import { exchange, type McpEndpoint, openMessage } from "./exchange";
import type { McpOptions } from "./mcp-client";
import { McpError } from "./mcp-error";
import { createModernEra } from "./modern-era";
import { negotiate, type Probe, type Verdict } from "./negotiate";
import { readOn } from "./read-on";

/** The way to one server. What does no harm twice goes out again when its answer broke off. */
export interface Connection {
	/** `undefined` until it is negotiated. */
	readonly protocol: McpProtocol | undefined;
	/** What the server speaks; found out the first time, by `probe`. */
	decide(probe: Probe): Promise<Verdict>;
	/** @param verdict - what was just found out: its result is not asked for again. */
	request(
		verdict: Verdict,
		method: "tools/list" | "tools/call",
		params: JsonObject,
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
	let negotiating: Promise<Verdict> | undefined;

	async function openLegacy(): Promise<Era> {
		const { openLegacyEra } = await import("./legacy-era");
		return openLegacyEra(endpoint, {
			createCallGuard,
			exchange,
			McpError,
			openMessage,
			readOn,
			readServer,
			TimeoutError,
			withMeta,
		});
	}

	async function findOut(probe: Probe): Promise<Verdict> {
		const verdict =
			protocol === "legacy"
				? { era: await openLegacy() }
				: await negotiate(modern, openLegacy, probe, { options: {}, onMessage });
		era = verdict.era;
		return verdict;
	}

	/** The verdict is shared, so that no caller's signal reaches it; a failure is not kept. */
	async function decide(probe: Probe): Promise<Verdict> {
		if (era !== undefined) return { era };
		negotiating ??= persist(() => findOut(probe)).finally(() => {
			negotiating = undefined;
		});
		return negotiating;
	}

	async function persist<Result>(work: () => Promise<Result>): Promise<Result> {
		for (let retry = 1; ; retry++)
			try {
				return await work();
			} catch (error) {
				const isLost = McpError.is(error) && /^(no_answer|stream_lost)$/.test(error.code);
				if (!isLost || retry > endpoint.client.maxRetries) throw error;
			}
	}

	return {
		get protocol() {
			return era && { revision: era.revision, era: era.protocol };
		},
		decide,
		async request({ era, probe, result }, method, params, call) {
			if (result && probe === method && !("cursor" in params)) return result;
			const send = (): Promise<JsonObject> => era.request(method, params, call);
			return method === "tools/call" ? send() : persist(send);
		},
		async server(call) {
			const { era } = await decide("server/discover");
			return persist(() => era.server(call));
		},
		async close() {
			await era?.close();
		},
	};
}
