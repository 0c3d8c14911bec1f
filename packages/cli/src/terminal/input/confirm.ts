import { createInterface } from "node:readline/promises";
import { ConfigurationError } from "@stemma/core/errors";
import type { Terminal } from "../terminal";

/**
 * Asks a person to type a word before something is done for good.
 *
 * @param question - what will be done, as a sentence.
 * @param isConfirmed - `--yes` was given: nobody is asked.
 * @throws ConfigurationError where the answer is another, and where no person can be asked.
 */
export async function confirm(
	{ stdin, stderr }: Terminal,
	{
		question,
		word,
		isConfirmed,
	}: { readonly question: string; readonly word: string; readonly isConfirmed: boolean },
): Promise<void> {
	if (isConfirmed) return;
	if (!stdin.isTTY || !stderr.isTTY)
		throw new ConfigurationError("This needs a confirmation.", { hint: "Add --yes." });
	const lines = createInterface({ input: stdin, output: stderr });
	try {
		const answer = await lines.question(`${question} Type "${word}" to continue: `);
		if (answer.trim() !== word)
			throw new ConfigurationError("Nothing was done.", { hint: `Type "${word}", or add --yes.` });
	} finally {
		lines.close();
	}
}
