/** One step of a README, in the order in which a reader comes to it. */
export type ReadmeStep =
	/** A block of commands, with what the README shows as their output. */
	| { readonly kind: "commands"; readonly commands: string; readonly output: string | undefined }
	/** "Put the key that is printed in place of `ck_…` in [settings.ts](settings.ts)." */
	| { readonly kind: "edit"; readonly placeholder: string; readonly file: string };

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/;
const EDIT = /in\s+place\s+of\s+`([^`\s]+…)`\s+in\s+\[[^\]]+\]\(([^)\s]+)\)/;

/**
 * Reads what a README tells its reader to do: blocks of the language `sh`, and sentences that put a printed value in place of a
 * placeholder. A block without a language is what commands print where it comes right after them, or after "prints:".
 */
export function readSteps(readme: string): readonly ReadmeStep[] {
	const steps: ReadmeStep[] = [];
	const parts = readme.matchAll(new RegExp(`${FENCE.source}|${EDIT.source}`, "gm"));
	let end = 0;
	for (const { index, 0: part, 1: language, 2: text = "", 3: placeholder = "", 4: file = "" } of parts) {
		const last = steps.at(-1);
		const before = readme.slice(end, index).trim();
		end = index + part.length;
		if (language === undefined) steps.push({ kind: "edit", placeholder, file });
		else if (language === "sh") steps.push({ kind: "commands", commands: text, output: undefined });
		else if (last?.kind === "commands" && isOutput(language, before))
			steps.splice(-1, 1, { ...last, output: text });
	}
	return steps;
}

const isOutput = (language: string, before: string): boolean =>
	language === "" && (before === "" || before.endsWith("prints:"));

/** Servers of the examples: their commands go on until they are stopped. */
const SERVER = /serve\.mjs|order-server\.mjs|npm run dev|npm run stemma -- runtime/;

/** Whether the last of some commands stays up. */
export const isServer = (commands: string): boolean => SERVER.test(commands.trim().split("\n").at(-1) ?? "");
