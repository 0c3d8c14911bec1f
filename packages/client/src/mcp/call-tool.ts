import { runWithTimeout } from "../http/call-timeout";
import type { CallOptions } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import type { ConnectedServer } from "./connected-server";
import type { McpCallOptions, McpOutcome } from "./mcp-client";
import { McpError } from "./mcp-error";
import type { EraCall } from "./protocol/era";
import type { NegotiationResult } from "./protocol/negotiate";
import { toOutcome } from "./tools/outcome";
import { isProgress } from "./wire";

/** A call of a tool. */
export interface ToolCall {
	readonly name: string;
	readonly args: object;
	/** Params besides: answers to what the server asked for. */
	readonly params?: object;
}

/** Runs a call as a whole, whatever it takes: one deadline, one signal. */
export function runWithin<Result>(
	{ client }: ConnectedServer,
	{ timeouts, signal, ...options }: CallOptions,
	work: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
	const { timeoutMs, ...each } = mergeTimeouts(client.timeouts, timeouts);
	return runWithTimeout(timeoutMs ? { timeoutMs } : {}, signal, async (limit) => {
		// Nothing is begun for a signal that is aborted already.
		await limit.wait(Promise.resolve());
		return limit.wait(work({ ...options, timeouts: each, signal: limit.signal }));
	});
}

/** Calls a tool, and once more where it was refused by what an old list of tools said. */
export function callTool(
	server: ConnectedServer,
	call: ToolCall,
	{ onProgress, meta, ...callOptions }: McpCallOptions,
): Promise<McpOutcome> {
	const { pin } = server.options;
	return runWithin(server, callOptions, async (options) => {
		if (pin) {
			const { assertPinned } = await import("./lazy-parts");
			assertPinned(call.name, pin);
		}
		let negotiated = await server.negotiate();
		for (let isRetry = false; ; isRetry = true)
			try {
				return await callOnce(server, negotiated, call, { onProgress, meta, ...options });
			} catch (error) {
				// Refused before anything was done: the list that it was called by is an old one.
				if (isRetry || !McpError.is(error) || error.code !== "header_mismatch") throw error;
				negotiated = { era: negotiated.era };
				server.forgetTools();
			}
	});
}

async function callOnce(
	server: ConnectedServer,
	negotiated: NegotiationResult,
	{ name, args, params }: ToolCall,
	{ onProgress, meta, ...options }: McpCallOptions,
): Promise<McpOutcome> {
	const { pin, validate } = server.options;
	const isListed = pin || validate || negotiated.era.protocol === "modern";
	const listed = isListed ? await server.knownTools(negotiated) : undefined;
	const onMessage: EraCall["onMessage"] = (message, id) => {
		server.onMessage(message, id);
		if (message.method !== "notifications/progress") return;
		const { progressToken, ...progress } = message.params ?? {};
		if (progressToken === id && isProgress(progress)) onProgress?.(progress);
	};
	const result = await server.connection.request(
		negotiated,
		"tools/call",
		{ name, arguments: args, ...(meta && { _meta: meta }), ...params },
		{
			options,
			wantsProgress: onProgress !== undefined,
			headers: await listed?.headersOf(name, args),
			onMessage,
		},
	);
	const outcome = toOutcome(result, (more, again = {}) =>
		callTool(server, { name, args, params: more }, again),
	);
	const tool = listed?.tools.find((one) => one.name === name);
	if (validate && tool) {
		const { checkOutput } = await import("./lazy-parts");
		checkOutput(outcome, tool, validate, server.client.redact);
	}
	return outcome;
}
