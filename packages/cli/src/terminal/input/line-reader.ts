import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Terminal } from "../terminal";

/** Reads lines that are typed or piped in, one for each question; several readers at once would take each other's. */
export interface LineReader {
	/** The next line; none once the input has ended, or Ctrl-C was pressed. */
	read(prompt: string): Promise<string | undefined>;
	/**
	 * The next line that is typed after the prompt was shown: nobody answers what they have not seen.
	 *
	 * @param preface - written above the prompt, once.
	 */
	readAfterPrompt(prompt: string, preface?: string): Promise<string | undefined>;
	close(): void;
}

/** Time in milliseconds without input after which everything that was typed before has arrived. */
const TYPE_AHEAD_QUIET_MS = 100;

/** @param onInterrupt - Ctrl-C was pressed while a terminal was read, which sends no signal then. */
export function createLineReader(
	{ stdin, stderr }: Pick<Terminal, "stdin" | "stderr">,
	onInterrupt: () => void,
): LineReader {
	const lines = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY });
	const pendingLines: string[] = [];
	let isOpen = true;
	let wake = (): void => undefined;
	lines.on("line", (line) => {
		pendingLines.push(line);
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

	async function read(prompt: string): Promise<string | undefined> {
		if (isOpen) {
			lines.setPrompt(prompt);
			lines.prompt();
		}
		while (pendingLines.length === 0 && isOpen)
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		return pendingLines.shift();
	}

	/** Drops what was typed, whole lines and a line that was begun, until nothing comes any more. */
	async function discardTypeAhead(): Promise<void> {
		lines.setPrompt("");
		do {
			pendingLines.length = 0;
			if (isOpen && lines.line !== "") clearLine();
			await sleep(TYPE_AHEAD_QUIET_MS);
		} while (isOpen && (pendingLines.length > 0 || lines.line !== ""));
		pendingLines.length = 0;
	}

	function clearLine(): void {
		lines.write(null, { ctrl: true, name: "e" });
		lines.write(null, { ctrl: true, name: "u" });
	}

	return {
		read,
		async readAfterPrompt(prompt, preface = "") {
			await discardTypeAhead();
			if (isOpen) stderr.write(preface);
			return read(prompt);
		},
		close: () => lines.close(),
	};
}
