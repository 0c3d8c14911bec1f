// Runs the steps of a check at once and prints what the failing ones said.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { binaries, root } from "./workspace.mjs";

/** Checks types; the next time, those alone that something changed for. */
export const typesCommand = (project, cache) => [
	"tsc",
	"-p",
	project,
	"--incremental",
	"--tsBuildInfoFile",
	join(root, "node_modules/.stemma", cache),
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
		const child = spawn(join(binaries, binary), args, { cwd, env: { ...process.env, NO_COLOR: "1" } });
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
