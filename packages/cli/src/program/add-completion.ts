import { omitUndefined } from "@stemma/core/internal";
import { Argument, type Command } from "commander";
import { completionScript, SHELLS, type Shell } from "../completion/completion-scripts";
import { findCompletions } from "../completion/find-completions";
import { listNames } from "../completion/list-names";
import type { Terminal } from "../terminal/terminal";

/** Adds the command `stemma completion`, and the hidden one that its scripts call. */
export function addCompletion(program: Command, { stdout }: Pick<Terminal, "stdout">): void {
	program
		.command("completion")
		.description("print a script that completes commands, options and names in your shell")
		.addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
		.addHelpText("after", `\n${NOTES}`)
		.action((shell: Shell) => void stdout.write(completionScript(shell)));
	program
		.command("complete", { hidden: true })
		.argument("[words...]")
		.action(async (words: readonly string[]) => {
			const current = words.at(-1) ?? "";
			const fitting = (await complete(program, words)).filter((word) => isPrintable(word, current));
			stdout.write(fitting.map((word) => `${word}\n`).join(""));
		});
}

async function complete(program: Command, words: readonly string[]): Promise<readonly string[]> {
	const { words: found, names, options } = findCompletions(program, words);
	if (names === undefined) return found;
	const connection = omitUndefined({ url: options.get("--url"), data: options.get("--data") });
	return listNames(names, connection, options.get("--kb"));
}

/** A name with a control character could be two lines, or move the cursor. */
const isPrintable = (word: string, start: string): boolean =>
	word.startsWith(start) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word);

const NOTES = `Commands and options are completed without a service. Names of knowledge bases, agents, documents and sources
come from the service that the command would use; where none answers, there are none.

Examples:
  stemma completion bash >> ~/.bashrc
  stemma completion zsh > "\${fpath[1]}/_stemma"
  stemma completion fish > ~/.config/fish/completions/stemma.fish`;
