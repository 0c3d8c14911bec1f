import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { McpError } from "../mcp-error";
import { MODERN_VERSION, type RpcParams } from "../wire";
import type { Era, EraCall } from "./era";
import { readServer, withMeta } from "./era";
import { exchange, type McpEndpoint } from "./exchange";
import { toHeaderValue } from "./header-value";

const META_PREFIX = "io.modelcontextprotocol/";

/** Errors that only a server of this era gives: header mismatch, missing capability, unsupported version. */
const MODERN_CODES: readonly unknown[] = [-32020, -32021, -32022];

export const isModernError = (error: unknown): error is McpError =>
	McpError.is(error) && MODERN_CODES.includes(error.rpcCode);

/** A result with the marks that this era puts on results. */
export const isModernResult = (result: JsonObject): boolean =>
	"resultType" in result || "ttlMs" in result || "supportedVersions" in result;

/** Returns the versions that a server lists when it refuses the version of this client; empty for other errors. */
export const supportedVersions = (error: unknown): readonly unknown[] => {
	const supported = McpError.is(error) && isJsonObject(error.data) && error.data.supported;
	return Array.isArray(supported) ? supported : [];
};

/** Creates the era of 2026-07-28 and later: each request is independent. Closing the response cancels it. */
export function createModernEra(endpoint: McpEndpoint): Era {
	async function request(
		method: string,
		params: RpcParams,
		call: EraCall,
		isRetry = false,
	): Promise<JsonObject> {
		const id = endpoint.nextId();
		try {
			const { result } = await exchange(endpoint, {
				id,
				method,
				params: withMeta(params, {
					[`${META_PREFIX}protocolVersion`]: MODERN_VERSION,
					[`${META_PREFIX}clientCapabilities`]: endpoint.capabilities,
					[`${META_PREFIX}clientInfo`]: { ...endpoint.clientInfo },
					...(call.wantsProgress && { progressToken: id }),
				}),
				headers: {
					"mcp-protocol-version": MODERN_VERSION,
					"mcp-method": method,
					"mcp-name": typeof params.name === "string" ? await toHeaderValue(params.name) : undefined,
					...call.headers,
				},
				options: call.options,
				onMessage: call.onMessage,
			});
			return result;
		} catch (error) {
			// Refused before anything was done, and yet it speaks our version.
			if (isRetry || !supportedVersions(error).includes(MODERN_VERSION)) throw error;
			return request(method, params, call, true);
		}
	}

	return {
		protocol: "modern",
		revision: MODERN_VERSION,
		request,
		async server(call) {
			const result = await request("server/discover", {}, call);
			const { [`${META_PREFIX}serverInfo`]: info } = isJsonObject(result._meta) ? result._meta : {};
			return readServer("modern", MODERN_VERSION, info ?? result.serverInfo, result);
		},
		close: async () => undefined,
	};
}
