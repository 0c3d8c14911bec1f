import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** What is written over and over: the same, or something else each time. */
export type Piece = string | Buffer | ((count: number) => string | Buffer);

/** Writes pieces as fast as they are taken, until there are so many or nobody takes them any more; gives how many went out. */
export async function writeUntilClosed(
	response: ServerResponse,
	piece: Piece,
	maxPieces = Number.POSITIVE_INFINITY,
): Promise<number> {
	const closed = once(response, "close");
	let count = 0;
	response.setMaxListeners(0);
	for (; count < maxPieces && !response.destroyed; count++)
		if (!response.write(typeof piece === "function" ? piece(count) : piece))
			await Promise.race([once(response, "drain"), closed]);
	return count;
}
