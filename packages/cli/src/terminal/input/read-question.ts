import { text as readAll } from "node:stream/consumers";
import { ConfigurationError } from "@stemma/core/errors";
import type { Terminal } from "../terminal";

/**
 * The question of a command: its argument, else what a pipe brings.
 *
 * @param example - a command line that has one, for the hint.
 * @throws ConfigurationError when there is none.
 */
export async function readQuestion(
	{ stdin }: Pick<Terminal, "stdin">,
	argument: string | undefined,
	example: string,
): Promise<string> {
	if (argument !== undefined || stdin.isTTY) return parseQuestion(argument ?? "", example);
	return parseQuestion(await readAll(stdin), example);
}

/** @throws ConfigurationError for a question without a word. */
export function parseQuestion(question: string, example: string): string {
	if (question.trim() === "")
		throw new ConfigurationError("There is no question.", {
			hint: `Give it as the last argument, in quotes: ${example}`,
		});
	return question.trim();
}
