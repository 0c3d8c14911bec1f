import { createInterface } from "node:readline";
import type { Terminal } from "./terminal";

/** Reads lines that are typed or piped in, one for each question; several readers at once would take each other's. */
export interface LineReader {
	/** The next line; none once the input has ended, or Ctrl-C was pressed. */
	read(prompt: string): Promise<string | undefined>;
	close(): void;
}

/** @param onInterrupt - Ctrl-C was pressed while a terminal was read, which sends no signal then. */
export function createLineReader(
	{ stdin, stderr }: Pick<Terminal, "stdin" | "stderr">,
	onInterrupt: () => void,
): LineReader {
	const lines = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY });
	const arrived: string[] = [];
	let isOpen = true;
	let wake = (): void => undefined;
	lines.on("line", (line) => {
		arrived.push(line);
		wake();
	});
	lines.on("close", () => {
		isOpen = false;
		wake();
	});
	lines.on("SIGINT", () => {
		onInterrupt();
		lines.close();
	});
	return {
		async read(prompt) {
			if (isOpen) {
				lines.setPrompt(prompt);
				lines.prompt();
			}
			while (arrived.length === 0 && isOpen)
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
			return arrived.shift();
		},
		close: () => lines.close(),
	};
}
