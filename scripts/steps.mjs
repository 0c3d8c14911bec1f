// Runs the steps of a check at once and prints what the failing ones said.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { programOf } from "./program-of.mjs";
import { binaries, root } from "./workspace.mjs";

/** Native compiler, which has a lockfile of its own: `npm start` needs none. */
export const compilerFolder = "tools/types";

/** Checks types; the next time, those alone that something changed for. */
const typesCommand = (project, cache) => [
	join("../..", compilerFolder, "node_modules/.bin/tsc"),
	"-p",
	project,
	"--incremental",
	"--tsBuildInfoFile",
	join(root, "node_modules/.stemma", cache),
];

/** Types of all code, and of isomorphic packages without those of Node. */
export const typeSteps = [
	{ name: "types", command: typesCommand("tsconfig.json", "types-native") },
	{
		name: "types of isomorphic packages",
		command: typesCommand("tsconfig.isomorphic.json", "types-isomorphic-native"),
	},
];

/** Resolves with the names of the steps that failed. */
export async function runSteps(steps) {
	const outcomes = await Promise.all(steps.map(runStep));
	return outcomes.filter(({ status }) => status !== 0).map(({ name }) => name);
}

function runStep({ name, command: [binary, ...args], cwd = root }) {
	const startedAt = performance.now();
	return new Promise((resolve) => {
		let output = "";
		const program = programOf(process.platform, join(binaries, binary), args);
		const child = spawn(program.command, program.args, {
			cwd,
			env: { ...process.env, NO_COLOR: "1" },
			shell: program.shell,
		});
		child.stdout.on("data", (chunk) => (output += chunk));
		child.stderr.on("data", (chunk) => (output += chunk));
		child.on("error", (error) => resolve(report(name, 1, `${output}${error.message}\n`, startedAt)));
		child.on("close", (status) => resolve(report(name, status ?? 1, output, startedAt)));
	});
}

function report(name, status, output, startedAt) {
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
	if (status !== 0) console.log(output);
	console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
	return { name, status, output };
}
