import type { OpenResponse } from "../client";
import { IdleTimer } from "./idle-timer";

/**
 * Reads a body to its end when its content is complete: the end follows at once. A body that is aborted counts as a
 * failed request in browsers, and may cost the connection.
 *
 * @param timeoutMs - after which it is closed: some servers keep their streams open.
 */
export async function drainResponse({ read, close }: OpenResponse, timeoutMs: number): Promise<void> {
	const drainTimer = new IdleTimer(timeoutMs, close);
	while ((await read().catch(close)) !== undefined);
	drainTimer.stop();
	close();
}
