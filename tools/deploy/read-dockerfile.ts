import { readFile } from "node:fs/promises";

/** One line of a Dockerfile, with the lines that it goes on in. */
export interface Instruction {
	/** Upper case: `COPY`. */
	readonly keyword: string;
	/** Of `--from=build`: `build`. */
	readonly flags: Readonly<Record<string, string>>;
	/** The members of its JSON list; else what is between spaces. */
	readonly args: readonly string[];
	/** It is a JSON list: no shell is needed. */
	readonly isExec: boolean;
}

/** What a `FROM` begins. */
export interface Stage {
	readonly name: string;
	/** An image, or the name of a stage above. */
	readonly base: string;
	readonly instructions: readonly Instruction[];
}

export const dockerfile = new URL("../../deploy/Dockerfile", import.meta.url);

export async function readStages(): Promise<readonly Stage[]> {
	const lines = (await readFile(dockerfile, "utf8")).split("\n").filter((line) => !/^\s*(#|$)/.test(line));
	const instructions = lines
		.join("\n")
		.replaceAll(/\\\n\s*/g, "")
		.split("\n")
		.map(parse);
	const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
	for (const instruction of instructions) {
		const [base = "", , name = ""] = instruction.args;
		if (instruction.keyword === "FROM") stages.push({ name, base, instructions: [] });
		else stages.at(-1)?.instructions.push(instruction);
	}
	return stages;
}

/** The instructions of a stage, after those of the stages that it is built on. */
export function flatten(stages: readonly Stage[], name: string): readonly Instruction[] {
	const stage = stages.find((other) => other.name === name);
	return stage === undefined ? [] : [...flatten(stages, stage.base), ...stage.instructions];
}

/** The last one of a keyword counts. */
export const findLast = (instructions: readonly Instruction[], keyword: string): Instruction | undefined =>
	instructions.findLast((instruction) => instruction.keyword === keyword);

function parse(line: string): Instruction {
	const [, keyword = "", options = "", rest = ""] = /^(\w+) ((?:--\S+ )*)(.*)$/.exec(line) ?? [];
	const flags = Object.fromEntries(
		[...options.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
	);
	// A check of health begins with the word CMD.
	const text = keyword === "HEALTHCHECK" ? rest.replace(/^CMD /, "") : rest;
	const isExec = text.startsWith("[");
	return { keyword, flags, isExec, args: isExec ? (JSON.parse(text) as string[]) : text.split(/\s+/) };
}
