import type { JsonObject } from "@stemma/core";
import { createCallTimeout } from "../http/call-timeout";
import { connectServer } from "../http/connect-server";
import type { CallOptions } from "../options/call-options";
import { mergeTimeouts, rejectOption } from "../options/client-options";
import { PACKAGE_VERSION } from "../package-version";
import type {
	McpCallOptions,
	McpClient,
	McpClientOptions,
	McpOptions,
	McpOutcome,
	McpToolTypes,
} from "./mcp-client";
import { McpError } from "./mcp-error";
import { createConnection } from "./protocol/connection";
import type { EraCall } from "./protocol/era";
import type { McpEndpoint } from "./protocol/exchange";
import type { NegotiationResult } from "./protocol/negotiate";
import { type KnownTools, readKnownTools } from "./tools/known-tools";
import { toOutcome } from "./tools/outcome";
import type { McpProgress } from "./wire";

/**
 * A client for the MCP server at an address, of whichever revision it speaks. Constructing it sends nothing.
 *
 * @throws ConfigurationError for options that cannot be.
 */
export function createMcpClient<Tools extends McpToolTypes = McpToolTypes>(
	options: McpClientOptions,
): McpClient<Tools> {
	const { auth, token } = options;
	if (auth && token !== undefined) rejectOption("token", "and `auth` were both given", "Pass one of them.");
	// What is known of the tools is for the types of calls alone.
	return createMcpClientOver(connectServer(options, auth), "", options) as McpClient as McpClient<Tools>;
}

const DEFAULT_MAX_RESULT_BYTES = 10 * 2 ** 20;

/** Creates an MCP client over an existing transport. */
export function createMcpClientOver(
	client: McpEndpoint["client"],
	path: string,
	{
		protocol,
		pin,
		clientInfo = { name: "stemma", version: PACKAGE_VERSION },
		capabilities = {},
		validate,
		maxResultBytes = DEFAULT_MAX_RESULT_BYTES,
	}: McpOptions,
): McpClient {
	let lastId = 0;
	const nextId = (): number => {
		lastId += 1;
		return lastId;
	};
	let cached: Promise<KnownTools> | undefined;
	const onMessage: EraCall["onMessage"] = ({ method }) => {
		if (method === "notifications/tools/list_changed") cached = undefined;
	};
	const connection = createConnection(
		{ client, path, maxResultBytes, clientInfo, capabilities, nextId },
		protocol,
		onMessage,
	);

	const { ensureNegotiated, request, server, close } = connection;

	async function list(negotiated: NegotiationResult, options: CallOptions): Promise<KnownTools> {
		return readKnownTools(
			(params) => request(negotiated, "tools/list", params, { options, onMessage }),
			negotiated.era.protocol === "modern",
			{ pin, maxResultBytes },
			client.redact,
		);
	}

	/** Returns the tools as they were last listed. Callers share the list, so no caller's signal stops the request. */
	async function knownTools(negotiated: NegotiationResult): Promise<KnownTools> {
		const last = cached;
		if (last !== undefined && Date.now() < (await last).expiresAt) return last;
		if (cached !== undefined && cached !== last) return cached;
		const listing = list(negotiated, {});
		cached = listing;
		listing.catch(() => {
			if (cached === listing) cached = undefined;
		});
		return listing;
	}

	/** A call as a whole, whatever it takes: one deadline, one signal. */
	function run<Result>(
		{ timeouts, signal, ...options }: CallOptions,
		work: (options: CallOptions) => Promise<Result>,
	): Promise<Result> {
		const { timeoutMs, ...each } = mergeTimeouts(client.timeouts, timeouts);
		const callTimeout = createCallTimeout(timeoutMs ? { timeoutMs } : {}, signal);
		return callTimeout
			.wait(Promise.resolve())
			.then(() => callTimeout.wait(work({ ...options, timeouts: each, signal: callTimeout.signal })))
			.finally(() => callTimeout.end());
	}

	function callTool(
		name: string,
		args: JsonObject,
		{ onProgress, meta, ...callOptions }: McpCallOptions,
		extraParams?: JsonObject,
	): Promise<McpOutcome> {
		const onCallMessage: EraCall["onMessage"] = (message, id) => {
			onMessage(message, id);
			if (message.method !== "notifications/progress") return;
			const { progressToken, ...progress } = message.params ?? {};
			if (progressToken === id) onProgress?.(progress as unknown as McpProgress);
		};
		return run(callOptions, async (options) => {
			if (pin) {
				const { assertPinned } = await import("./tools/tool-lock");
				assertPinned(name, pin, McpError);
			}
			let negotiated = await ensureNegotiated("tools/list");
			const isListed = pin || validate || negotiated.era.protocol === "modern";
			for (let isRetry = false; ; isRetry = true) {
				const listed = isListed ? await knownTools(negotiated) : undefined;
				try {
					const result = await request(
						negotiated,
						"tools/call",
						{ name, arguments: args, ...(meta && { _meta: meta }), ...extraParams },
						{
							options,
							wantsProgress: onProgress !== undefined,
							headers: await listed?.headersOf(name, args),
							onMessage: onCallMessage,
						},
					);
					const outcome = toOutcome(result, (params, options = {}) => callTool(name, args, options, params));
					const tool = listed?.tools.find((one) => one.name === name);
					if (validate && tool) {
						const { checkOutput } = await import("./tools/check-output");
						checkOutput(outcome, tool, validate, McpError, client.redact);
					}
					return outcome;
				} catch (error) {
					// Refused before anything was done: the list that it was called by is an old one.
					if (isRetry || !McpError.is(error) || error.code !== "header_mismatch") throw error;
					negotiated = { era: negotiated.era };
					cached = undefined;
				}
			}
		});
	}

	return {
		get protocol() {
			return connection.protocol;
		},
		server: (options = {}) => run(options, (inner) => server({ options: inner, onMessage })),
		listTools: (options = {}) =>
			run(options, async (inner) => {
				// A list that cannot be had, or is not as it is pinned, is none to call by.
				cached = undefined;
				const { tools, ttlMs, ...listed } = await list(await ensureNegotiated("tools/list"), inner);
				cached = Promise.resolve({ tools, ...listed });
				return { tools, ...(ttlMs !== undefined && { ttlMs }) };
			}),
		callTool: (name, args = {}, options = {}) => callTool(name, args as JsonObject, options),
		close,
	};
}
