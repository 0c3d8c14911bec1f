import { Command, Option } from "commander";
import { expect, it } from "vitest";
import { findCompletions } from "./find-completions";

function createProgram(): Command {
	const program = new Command("stemma");
	const kb = program.command("kb");
	kb.command("show").argument("<knowledge base>").option("--json").option("--data <folder>");
	program
		.command("docs")
		.command("delete")
		.argument("<document...>")
		.option("--kb <slug or id>")
		.addOption(new Option("--status <status>").choices(["ready", "failed"]));
	program.command("complete", { hidden: true });
	return program;
}

const complete = (...words: string[]) => findCompletions(createProgram(), words);

it.each([
	[[""], ["kb", "docs", "help"]],
	[
		["kb", ""],
		["show", "help"],
	],
	[
		["kb", "show", "-"],
		["--json", "--data", "--help"],
	],
	[
		["docs", "delete", "--status", ""],
		["ready", "failed"],
	],
	[["kb", "show", "--data", ""], []],
])("completes %j with words", (words, expected) => {
	expect(complete(...words)).toMatchObject({ words: expected });
});

it("completes names, with the options that say where they are from", () => {
	expect(complete("kb", "show", "ha")).toMatchObject({ names: "knowledge base" });
	expect(complete("docs", "delete", "--kb", "")).toMatchObject({ names: "knowledge base" });
	const { names, options } = complete("docs", "delete", "--kb", "handbook", "a.md", "");
	expect([names, options.get("--kb")]).toEqual(["document", "handbook"]);
	expect(complete("kb", "show", "handbook", "").names).toBeUndefined();
});
