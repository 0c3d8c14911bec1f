import type { JsonObject } from "@stemma/core";
import type { McpOptions } from "../mcp-client";
import { McpError } from "../mcp-error";
import type { RpcParams } from "../wire";
import type { Era, EraCall, McpProtocol, McpServer } from "./era";
import type { McpEndpoint } from "./exchange";
import { createModernEra } from "./modern-era";
import { type NegotiationResult, negotiate, type Probe } from "./negotiate";

/** The way to one server. What does no harm twice goes out again when its answer broke off. */
export class Connection {
	readonly #endpoint: McpEndpoint;
	readonly #protocol: McpOptions["protocol"];
	readonly #onMessage: EraCall["onMessage"];
	readonly #modern: Era;
	#era: Era | undefined;
	#inFlight: Promise<NegotiationResult> | undefined;

	/** @param onMessage - of the server, to what nobody asked for. */
	constructor(endpoint: McpEndpoint, protocol: McpOptions["protocol"], onMessage: EraCall["onMessage"]) {
		this.#endpoint = endpoint;
		this.#protocol = protocol;
		this.#onMessage = onMessage;
		this.#modern = createModernEra(endpoint);
		if (protocol === "modern") this.#era = this.#modern;
	}

	/** `undefined` until it is negotiated. */
	get protocol(): McpProtocol | undefined {
		return this.#era && { revision: this.#era.revision, era: this.#era.protocol };
	}

	/**
	 * Returns which protocol the server speaks; negotiated the first time, by `probe`. The verdict is shared, so that no
	 * caller's signal reaches it; a failure is not kept.
	 */
	async ensureNegotiated(probe: Probe): Promise<NegotiationResult> {
		if (this.#era !== undefined) return { era: this.#era };
		this.#inFlight ??= this.#retryWhileLost(() => this.#negotiate(probe)).finally(() => {
			this.#inFlight = undefined;
		});
		return this.#inFlight;
	}

	/** @param negotiated - what was just found out: its result is not asked for again. */
	async request(
		{ era, probe, result }: NegotiationResult,
		method: "tools/list" | "tools/call",
		params: RpcParams,
		call: EraCall,
	): Promise<JsonObject> {
		if (result && probe === method && !("cursor" in params)) return result;
		const send = (): Promise<JsonObject> => era.request(method, params, call);
		return method === "tools/call" ? send() : this.#retryWhileLost(send);
	}

	async server(call: EraCall): Promise<McpServer> {
		const { era } = await this.ensureNegotiated("server/discover");
		return this.#retryWhileLost(() => era.server(call));
	}

	async close(): Promise<void> {
		await this.#era?.close();
	}

	async #negotiate(probe: Probe): Promise<NegotiationResult> {
		const openLegacy = async (): Promise<Era> =>
			(await import("../lazy-parts")).openLegacyEra(this.#endpoint);
		const negotiated =
			this.#protocol === "legacy"
				? { era: await openLegacy() }
				: await negotiate(this.#modern, openLegacy, probe, { options: {}, onMessage: this.#onMessage });
		this.#era = negotiated.era;
		return negotiated;
	}

	async #retryWhileLost<Result>(work: () => Promise<Result>): Promise<Result> {
		for (let retry = 1; ; retry++)
			try {
				return await work();
			} catch (error) {
				const isLost = McpError.is(error) && /^(no_response|stream_lost)$/.test(error.code);
				if (!isLost || retry > this.#endpoint.client.maxRetries) throw error;
			}
	}
}
