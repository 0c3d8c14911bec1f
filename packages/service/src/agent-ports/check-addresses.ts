import { type AgentGraph, formatPath } from "@stemma/core";
import { DomainError } from "../errors/domain-error";
import { BlockedAddressError } from "../outbound/blocked-address-error";
import type { OutboundGate } from "../outbound/outbound-gate";
import { hideAddress } from "./remote-error";

/** Options of checking the addresses that a graph names when it is saved. */
export interface CheckAddressesOptions {
	readonly check: OutboundGate["check"];
	/** True where the caller may see which setting of the operator allows an address. */
	readonly canSeeAddresses: boolean;
	/** Timeout for all names together, in milliseconds; default 5,000. */
	readonly timeoutMs?: number;
}

const MAX_CONCURRENT_CHECKS = 8;

/**
 * Refuses what could never be called from here. A name that leads nowhere, or not soon, may be called later, and is checked
 * again then.
 *
 * @throws DomainError 422 `blocked_address`, with the path of the first node.
 */
export async function checkAddresses(
	graph: AgentGraph,
	{ check, canSeeAddresses, timeoutMs = 5000 }: CheckAddressesOptions,
): Promise<void> {
	const nodeAddresses = listNodeAddresses(graph);
	const blockedAddresses = new Map<string, BlockedAddressError>();
	const remaining = new Set(nodeAddresses.map(({ address }) => address)).values();
	async function checkRemaining(): Promise<void> {
		for (const address of remaining) {
			if (isTimedOut) return;
			const blocked = await check(address).catch((error: unknown) => error);
			if (BlockedAddressError.is(blocked)) blockedAddresses.set(address, blocked);
		}
	}
	let isTimedOut = false;
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, timeoutMs);
	});
	await Promise.race([Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, checkRemaining)), timeout]);
	isTimedOut = true;
	clearTimeout(timer);
	for (const { address, path } of nodeAddresses) {
		const blocked = blockedAddresses.get(address);
		if (blocked !== undefined) throw toDomainError(blocked, path, canSeeAddresses);
	}
}

interface NodeAddress {
	readonly address: string;
	readonly path: string;
}

const listNodeAddresses = ({ nodes }: AgentGraph): NodeAddress[] =>
	nodes.flatMap((node, index) => {
		if (node.kind === "tool" && node.server !== undefined)
			return [{ address: node.server, path: formatPath(["graph", "nodes", index, "server"]) }];
		if (node.kind === "remote" && node.url !== undefined)
			return [{ address: node.url, path: formatPath(["graph", "nodes", index, "url"]) }];
		return [];
	});

function toDomainError(blocked: BlockedAddressError, param: string, canSeeAddresses: boolean): DomainError {
	const { code, message, hint } = canSeeAddresses ? blocked : hideAddress(blocked);
	return new DomainError(code, message, { hint, param, cause: blocked });
}
