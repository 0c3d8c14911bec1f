import { type AgentGraph, formatPath } from "@stemma/core";
import { ApiError } from "../http/api-error";
import { BlockedAddressError } from "../outbound/blocked-address-error";
import type { OutboundGate } from "../outbound/outbound-gate";
import { hideAddress } from "./outside-error";

export interface CheckAddressesOptions {
	readonly check: OutboundGate["check"];
	/** Whether the caller may see which setting of the operator opens an address. */
	readonly seesAddresses: boolean;
	/** For all names together; default 5,000. */
	readonly longestMs?: number;
}

const MOST_AT_ONCE = 8;

/**
 * Refuses what could never be called from here. A name that leads nowhere, or not soon, may be called later, and is checked
 * again then.
 *
 * @throws ApiError 422 `blocked_address`, with the path of the first node.
 */
export async function checkAddresses(
	graph: AgentGraph,
	{ check, seesAddresses, longestMs = 5000 }: CheckAddressesOptions,
): Promise<void> {
	const places = listPlaces(graph);
	const refusals = new Map<string, BlockedAddressError>();
	const waiting = new Set(places.map(({ address }) => address)).values();
	async function work(): Promise<void> {
		for (const address of waiting) {
			if (isLate) return;
			const refusal = await check(address).catch((error: unknown) => error);
			if (BlockedAddressError.is(refusal)) refusals.set(address, refusal);
		}
	}
	let isLate = false;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, longestMs);
	});
	await Promise.race([Promise.all(Array.from({ length: MOST_AT_ONCE }, work)), late]);
	isLate = true;
	clearTimeout(timer);
	for (const { address, path } of places) {
		const refusal = refusals.get(address);
		if (refusal !== undefined) throw toApiError(refusal, path, seesAddresses);
	}
}

interface Place {
	readonly address: string;
	readonly path: string;
}

const listPlaces = ({ nodes }: AgentGraph): Place[] =>
	nodes.flatMap((node, index) => {
		if (node.kind === "tool" && node.server !== undefined)
			return [{ address: node.server, path: formatPath(["graph", "nodes", index, "server"]) }];
		if (node.kind === "remote" && node.url !== undefined)
			return [{ address: node.url, path: formatPath(["graph", "nodes", index, "url"]) }];
		return [];
	});

function toApiError(refusal: BlockedAddressError, param: string, seesAddresses: boolean): ApiError {
	const { code, message, hint } = seesAddresses ? refusal : hideAddress(refusal);
	return new ApiError(422, code, message, { hint, param, cause: refusal });
}
