import type { ServiceContext } from "./service-context";
import { respondWithTextStream } from "./text-stream";

/**
 * Responds with JSON values, one a line, as {@link respondWithTextStream} does.
 *
 * @param batches - values that are sent together.
 */
export const respondWithJsonLines = (
	context: ServiceContext,
	batches: AsyncIterable<readonly unknown[]>,
	headers: Readonly<Record<string, string>> = {},
): Response =>
	respondWithTextStream(context, toLines(batches), {
		"content-type": "application/jsonl; charset=utf-8",
		...headers,
	});

async function* toLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
	for await (const values of batches) yield values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
