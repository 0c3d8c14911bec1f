import type { McpTool } from "@stemma/client/mcp";
import { clock, singleFlight } from "@stemma/core/internal";

/** Tools of a server, as it listed them. */
export interface ListedTools {
	readonly tools: readonly McpTool[];
	/** Time for which the list is valid, as the server says, in milliseconds. */
	readonly ttlMs?: number | undefined;
}

/** The tools of one server, asked for again when what was told has become old. */
export interface ToolList {
	read(signal: AbortSignal): Promise<readonly McpTool[]>;
	/** The next reader asks the server. */
	invalidate(): void;
}

/** Time for which a list is valid where the server does not say, in milliseconds. */
const DEFAULT_TTL_MS = 60_000;
/**
 * Longest time for which a list is valid, in milliseconds, even if the server says more: tools that are gone are
 * offered no longer than this.
 */
const MAX_TTL_MS = 3_600_000;

export function createToolList(list: (signal: AbortSignal) => Promise<ListedTools>): ToolList {
	let cached: { readonly tools: readonly McpTool[]; readonly expiresAt: number } | undefined;

	const refresh = singleFlight(async (signal) => {
		const { tools, ttlMs = DEFAULT_TTL_MS } = await list(signal);
		cached = { tools, expiresAt: clock.now() + Math.min(ttlMs, MAX_TTL_MS) };
		return tools;
	});

	return {
		read: async (signal) =>
			cached !== undefined && clock.now() < cached.expiresAt ? cached.tools : refresh(signal),
		invalidate() {
			cached = undefined;
		},
	};
}
