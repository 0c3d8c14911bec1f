const SHOWN_CHARACTERS = 400;

/** An error that nobody expected, in one line for the operator: with its place in the code, without the runtime's token. */
export function describeUnexpectedError(error: unknown, where: string, secret: string | undefined): string {
	const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
	const stackFrame = /\n[^\S\n]+(at .*)/.exec(stack)?.[1] ?? "";
	const text = `error: ${where}: ${name}: ${message.slice(0, SHOWN_CHARACTERS)} ${stackFrame}`;
	const line = [...text]
		.map((character) => (character < " " ? " " : character))
		.join("")
		.trim();
	return secret === undefined ? line : line.replaceAll(secret, "<token>");
}
