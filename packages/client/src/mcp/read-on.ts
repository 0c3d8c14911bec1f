import type { OpenAnswer } from "../client";
import { startDeadline } from "../deadline";

/** Some servers keep their streams open. */
const LINGER_MS = 50;

/**
 * To the end of a body that has nothing more to say: it comes now. One that is broken off counts as a failed request in
 * browsers, and may cost the connection.
 */
export async function readOn({ read, close }: OpenAnswer): Promise<void> {
	const lingering = startDeadline(LINGER_MS, close);
	while ((await read().catch(close)) !== undefined);
	lingering.stop();
	close();
}
