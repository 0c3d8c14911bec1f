import type { JsonObject } from "@stemma/core";
import { ApiError } from "../../errors/api-errors";
import { McpError } from "../mcp-error";
import { MODERN_VERSION } from "../wire";
import type { Era, EraCall } from "./era";
import { isModernError, isModernResult, supportedVersions } from "./modern-era";

/** Result of a negotiation: the era that a server speaks, and its answer to the request that was used to find out. */
export interface NegotiationResult {
	readonly era: Era;
	readonly probe?: Probe;
	readonly result?: JsonObject;
}

/** Method that can be called on any server without harm. */
export type Probe = "tools/list" | "server/discover";

/**
 * Finds out which era a server speaks, by a request in the modern form that does no harm. What is neither a result nor an
 * error of that era comes from a server of the one before.
 */
export async function negotiate(
	modern: Era,
	openLegacy: () => Promise<Era>,
	probe: Probe,
	call: EraCall,
): Promise<NegotiationResult> {
	try {
		const result = await modern.request(probe, {}, call);
		if (isModernResult(result)) return { era: modern, probe, result };
	} catch (error) {
		// A modern server without tools does not know the one; the other it must.
		if (McpError.is(error) && error.rpcCode === -32601 && probe === "tools/list")
			return negotiate(modern, openLegacy, "server/discover", call);
		if (isModernError(error) ? !speaksLegacy(error) : !mayBeLegacy(error)) {
			if (isModernError(error) && error.code !== "unsupported_version") return { era: modern };
			throw error;
		}
	}
	return { era: await openLegacy() };
}

/** Checks whether a server that does not speak this client's version speaks older revisions. */
const speaksLegacy = (error: McpError): boolean =>
	supportedVersions(error).some((version) => typeof version === "string" && version < MODERN_VERSION);

/**
 * Checks whether an error may come from a legacy server: it may be any answer to an unknown request. A lost connection
 * is no answer.
 */
const mayBeLegacy = (error: unknown): boolean =>
	McpError.is(error)
		? !["stream_lost", "result_too_large"].includes(error.code)
		: ApiError.is(error) && error.status < 500 && ![401, 403, 408, 429].includes(error.status);
