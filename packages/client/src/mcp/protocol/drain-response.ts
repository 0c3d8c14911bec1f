import type { OpenResponse } from "../../client";
import { startIdleTimer } from "../../http/idle-timer";

/** Some servers keep their streams open. */
const DRAIN_TIMEOUT_MS = 50;

/**
 * Reads a body to its end when its content is complete: the end follows at once. A body that is aborted counts as a
 * failed request in browsers, and may cost the connection.
 */
export async function drainResponse({ read, close }: OpenResponse): Promise<void> {
	const drainTimer = startIdleTimer(DRAIN_TIMEOUT_MS, close);
	while ((await read().catch(close)) !== undefined);
	drainTimer.stop();
	close();
}
