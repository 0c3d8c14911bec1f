import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = join(root, "examples");
const programs = readdirSync(examples).filter((name) => existsSync(join(examples, name, "index.mjs")));
const readme = readFileSync(join(root, "packages", "local", "README.md"), "utf8");

const run = async (name: string): Promise<string> => {
	const cwd = join(examples, name);
	const { stdout, stderr } = await promisify(execFile)(process.execPath, ["index.mjs"], { cwd });
	expect(stderr).toBe("");
	return stdout;
};

it.each(programs)("the example %s runs", async (name) => {
	await run(name);
});

it("the README of @stemma/local shows an example as it is, and what it prints", async () => {
	expect(readme).toContain(
		`\`\`\`js\n${readFileSync(join(examples, "custom-ports", "index.mjs"), "utf8")}\`\`\``,
	);
	expect(readme).toContain(`\`\`\`\n${await run("custom-ports")}\`\`\``);
});

it("the guide of graphs shows every scene of the tour as it is, and what it prints", async () => {
	const guide = readFileSync(join(root, "docs", "agent-graph-tour.md"), "utf8");
	const folder = join(examples, "graph-tour", "demos");
	const printed = (await run("graph-tour")).trimEnd().split("\n\n");
	const demos = readdirSync(folder).sort();
	expect(printed.map((part) => part.split("\n")[0])).toEqual(demos.map((file) => `## ${file.slice(0, -4)}`));
	for (const [index, file] of demos.entries()) {
		const [, ...lines] = (printed[index] ?? "").split("\n");
		const code = readFileSync(join(folder, file), "utf8");
		expect(guide).toContain(`\`\`\`js\n${code}\`\`\`\n\n\`\`\`\n${lines.join("\n")}\n\`\`\``);
	}
});
