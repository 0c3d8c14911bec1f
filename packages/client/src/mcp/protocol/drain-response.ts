import type { OpenResponse } from "../../client";
import { startIdleTimer } from "../../http/idle-timer";

/** Some servers keep their streams open. */
const DRAIN_TIMEOUT_MS = 50;

/**
 * To the end of a body that has nothing more to say: it comes now. One that is broken off counts as a failed request in
 * browsers, and may cost the connection.
 */
export async function drainResponse({ read, close }: OpenResponse): Promise<void> {
	const drainTimer = startIdleTimer(DRAIN_TIMEOUT_MS, close);
	while ((await read().catch(close)) !== undefined);
	drainTimer.stop();
	close();
}
