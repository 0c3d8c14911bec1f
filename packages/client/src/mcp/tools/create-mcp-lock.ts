import type { McpTool } from "../wire";
import type { McpLock } from "./tool-lock";

/** A lock of these tools, for the option `pin`: the same tools give the same lock, in whatever order their fields come. */
export async function createMcpLock(tools: readonly McpTool[]): Promise<McpLock> {
	const { lockTools } = await import("../lazy-parts");
	return lockTools(tools);
}
