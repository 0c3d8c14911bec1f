import type { CallOptions } from "../options/call-options";
import { PACKAGE_VERSION } from "../package-version";
import type { McpOptions } from "./mcp-client";
import { Connection } from "./protocol/connection";
import type { EraCall, McpServer } from "./protocol/era";
import type { McpEndpoint } from "./protocol/exchange";
import type { NegotiationResult } from "./protocol/negotiate";
import { type KnownTools, readKnownTools } from "./tools/known-tools";
import type { McpToolList } from "./tools/list-tools";

const DEFAULT_MAX_RESULT_BYTES = 10 * 2 ** 20;

/** One server with what is known of it: how it is spoken to, and the tools that it listed last. */
export class ConnectedServer {
	readonly client: McpEndpoint["client"];
	readonly options: McpOptions;
	readonly #endpoint: McpEndpoint;
	readonly connection: Connection;
	#tools: Promise<KnownTools> | undefined;
	#lastId = 0;

	constructor(client: McpEndpoint["client"], path: string, options: McpOptions) {
		this.client = client;
		this.options = options;
		const { clientInfo = { name: "stemma", version: PACKAGE_VERSION }, capabilities = {} } = options;
		const { maxResultBytes = DEFAULT_MAX_RESULT_BYTES } = options;
		this.#endpoint = {
			client,
			path,
			maxResultBytes,
			clientInfo,
			capabilities,
			nextId: () => ++this.#lastId,
			toError: async (...failure) => (await import("./lazy-parts")).toResponseError(client, ...failure),
		};
		this.connection = new Connection(this.#endpoint, options.protocol, this.onMessage);
	}

	/** Handler of what the server sends besides responses. */
	readonly onMessage: EraCall["onMessage"] = ({ method }) => {
		if (method === "notifications/tools/list_changed") this.forgetTools();
	};

	negotiate(): Promise<NegotiationResult> {
		return this.connection.ensureNegotiated("tools/list");
	}

	describe(options: CallOptions): Promise<McpServer> {
		return this.connection.server({ options, onMessage: this.onMessage });
	}

	async listTools(options: CallOptions): Promise<McpToolList> {
		// A list that cannot be had, or is not as it is pinned, is none to call by.
		this.forgetTools();
		const { tools, ttlMs, ...listed } = await this.#readTools(await this.negotiate(), options);
		this.#tools = Promise.resolve({ tools, ...listed });
		return { tools, ...(ttlMs !== undefined && { ttlMs }) };
	}

	/** Returns the tools as they were last listed. Callers share the list, so no caller's signal stops the request. */
	async knownTools(negotiated: NegotiationResult): Promise<KnownTools> {
		const last = this.#tools;
		if (last !== undefined && Date.now() < (await last).expiresAt) return last;
		if (this.#tools !== undefined && this.#tools !== last) return this.#tools;
		const listing = this.#readTools(negotiated, {});
		this.#tools = listing;
		listing.catch(() => {
			if (this.#tools === listing) this.forgetTools();
		});
		return listing;
	}

	forgetTools(): void {
		this.#tools = undefined;
	}

	#readTools(negotiated: NegotiationResult, options: CallOptions): Promise<KnownTools> {
		return readKnownTools(
			(params) =>
				this.connection.request(negotiated, "tools/list", params, { options, onMessage: this.onMessage }),
			negotiated.era.protocol === "modern",
			{ pin: this.options.pin, maxResultBytes: this.#endpoint.maxResultBytes },
			this.client.redact,
		);
	}
}
