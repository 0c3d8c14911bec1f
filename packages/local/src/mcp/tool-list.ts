import type { McpTool } from "@stemma/client/mcp";
import { clock, singleFlight } from "@stemma/core/internal";

/** What a server says of its tools. */
export interface ListedTools {
	readonly tools: readonly McpTool[];
	/** How long that holds, as the server says. */
	readonly ttlMs?: number | undefined;
}

/** The tools of one server, asked for again when what was told has become old. */
export interface ToolList {
	read(signal: AbortSignal): Promise<readonly McpTool[]>;
	/** The next reader asks the server. */
	invalidate(): void;
}

/** Where the server does not say. */
const DEFAULT_TTL_MS = 60_000;
/** Whatever the server says: tools that are gone are offered for no longer. */
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
