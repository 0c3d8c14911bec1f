import type { JsonObject } from "@stemma/core";
import { createCallGuard } from "../call-guard";
import type { CallOptions } from "../call-options";
import { connectServer } from "../connect-server";
import { mergeTimeouts, refuse } from "../options";
import { PACKAGE_VERSION } from "../package-version";
import { createConnection } from "./connection";
import type { EraCall } from "./era";
import type { McpEndpoint } from "./exchange";
import { type KnownTools, readKnownTools } from "./known-tools";
import type {
	McpCallOptions,
	McpClient,
	McpClientOptions,
	McpOptions,
	McpOutcome,
	McpToolTypes,
} from "./mcp-client";
import { McpError } from "./mcp-error";
import type { Verdict } from "./negotiate";
import { toOutcome } from "./outcome";
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
	if (auth && token !== undefined) refuse("token", "and `auth` were both given", "Pass one of them.");
	// What is known of the tools is for the types of calls alone.
	return createMcpClientOver(connectServer(options, auth), "", options) as McpClient as McpClient<Tools>;
}

const DEFAULT_MAX_RESULT_BYTES = 10 * 2 ** 20;

/** The same over a transport that is there. */
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
	let known: Promise<KnownTools> | undefined;
	const onMessage: EraCall["onMessage"] = ({ method }) => {
		if (method === "notifications/tools/list_changed") known = undefined;
	};
	const connection = createConnection(
		{ client, path, maxResultBytes, clientInfo, capabilities, nextId },
		protocol,
		onMessage,
	);

	const { decide, request, server, close } = connection;

	async function list(verdict: Verdict, options: CallOptions): Promise<KnownTools> {
		return readKnownTools(
			(params) => request(verdict, "tools/list", params, { options, onMessage }),
			verdict.era.protocol === "modern",
			{ pin, maxResultBytes },
			client.redact,
		);
	}

	/** As they were last listed; callers share the list, so that no caller's signal reaches it. */
	async function knownTools(verdict: Verdict): Promise<KnownTools> {
		const last = known;
		if (last !== undefined && Date.now() < (await last).until) return last;
		if (known !== undefined && known !== last) return known;
		const listing = list(verdict, {});
		known = listing;
		listing.catch(() => {
			if (known === listing) known = undefined;
		});
		return listing;
	}

	/** A call as a whole, whatever it takes: one deadline, one signal. */
	function run<Result>(
		{ timeouts, signal, ...options }: CallOptions,
		work: (options: CallOptions) => Promise<Result>,
	): Promise<Result> {
		const { totalMs, ...each } = mergeTimeouts(client.timeouts, timeouts);
		const guard = createCallGuard(totalMs ? { totalMs } : {}, signal);
		return guard
			.wait(Promise.resolve())
			.then(() => guard.wait(work({ ...options, timeouts: each, signal: guard.signal })))
			.finally(() => guard.end());
	}

	function callTool(
		name: string,
		args: JsonObject,
		{ onProgress, meta, ...callOptions }: McpCallOptions,
		more?: JsonObject,
	): Promise<McpOutcome> {
		const onCallMessage: EraCall["onMessage"] = (message, id) => {
			onMessage(message, id);
			if (message.method !== "notifications/progress") return;
			const { progressToken, ...progress } = message.params ?? {};
			if (progressToken === id) onProgress?.(progress as unknown as McpProgress);
		};
		return run(callOptions, async (options) => {
			if (pin) {
				const { demandPinned } = await import("./tool-lock");
				demandPinned(name, pin, McpError);
			}
			let verdict = await decide("tools/list");
			const isListed = pin || validate || verdict.era.protocol === "modern";
			for (let isAgain = false; ; isAgain = true) {
				const listed = isListed ? await knownTools(verdict) : undefined;
				try {
					const result = await request(
						verdict,
						"tools/call",
						{ name, arguments: args, ...(meta && { _meta: meta }), ...more },
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
						const { checkOutput } = await import("./check-output");
						checkOutput(outcome, tool, validate, McpError, client.redact);
					}
					return outcome;
				} catch (error) {
					// Refused before anything was done: the list that it was called by is an old one.
					if (isAgain || !McpError.is(error) || error.code !== "header_mismatch") throw error;
					verdict = { era: verdict.era };
					known = undefined;
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
				known = undefined;
				const { tools, ttlMs, ...listed } = await list(await decide("tools/list"), inner);
				known = Promise.resolve({ tools, ...listed });
				return { tools, ...(ttlMs !== undefined && { ttlMs }) };
			}),
		callTool: (name, args = {}, options = {}) => callTool(name, args as JsonObject, options),
		close,
	};
}
