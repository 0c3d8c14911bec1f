import type { McpLock } from "@stemma/client/mcp";
import { type AgentGraph, ConfigurationError } from "@stemma/core";
import { closestName, quote, trimEndOf } from "@stemma/core/internal";
import { toServerLabel } from "../server-label";

/** Locks of servers, by their addresses. */
export type McpPins = Readonly<Record<string, McpLock>>;

/** A pin that is passed over for the sake of a slash would be none. */
const normalizeUrl = (address: string): string => trimEndOf(address, "/").toLowerCase();

export const findPin = (pins: McpPins = {}, url: string): McpLock | undefined =>
	Object.entries(pins).find(([address]) => normalizeUrl(address) === normalizeUrl(url))?.[1];

/**
 * A pin of a server that no node calls is a slip of the pen, and the one that was meant is not pinned.
 *
 * @throws ConfigurationError with that address, and what may have been meant.
 */
export function assertPinsUsed({ nodes }: AgentGraph, pins: McpPins = {}): void {
	const servers = nodes.flatMap((node) =>
		node.kind === "tool" && node.server !== undefined ? [node.server] : [],
	);
	const calledServers = new Set(servers.map(normalizeUrl));
	const unused = Object.keys(pins).find((address) => !calledServers.has(normalizeUrl(address)));
	if (unused === undefined) return;
	const close = closestName(unused, servers);
	const suggestion = close === undefined ? "" : ` Did you mean ${quote(toServerLabel(close))}?`;
	throw new ConfigurationError(
		`\`pins\` names ${quote(toServerLabel(unused))}, which no node of the graph calls.${suggestion}`,
		{
			option: "pins",
			hint: "Write the address as `server` of the node has it, or take the lock out of `pins`.",
		},
	);
}
