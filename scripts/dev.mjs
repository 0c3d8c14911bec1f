// `npm run dev`: what `npm start` starts, started again whenever a source of a package has changed and was built.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { builtPackages, developmentNode, packages, root } from "./workspace.mjs";

/** Editors write a file in several steps, and several files at once. */
const QUIET_MS = 200;

let demo;
let timer;
let isStopping = false;
let work = Promise.resolve();

function startDemo() {
	demo = spawn(developmentNode(), ["scripts/demo.mjs", ...process.argv.slice(2)], {
		cwd: root,
		stdio: "inherit",
	});
}

async function stopDemo() {
	if (demo === undefined || demo.exitCode !== null || demo.signalCode !== null) return;
	const ended = new Promise((resolve) => demo.once("exit", resolve));
	demo.kill("SIGTERM");
	await ended;
}

async function restart() {
	if (isStopping) return;
	try {
		await ensureBuilt("javascript");
	} catch (error) {
		// The last build goes on running until the mistake is mended.
		console.error(error.message);
		return;
	}
	await stopDemo();
	if (!isStopping) startDemo();
}

function onChange(_, file) {
	if (file === null || file.includes(".test.")) return;
	clearTimeout(timer);
	timer = setTimeout(() => (work = work.then(restart)), QUIET_MS);
}

const watchers = packages.map((name) =>
	watch(join(root, "packages", name, "src"), { recursive: true }, onChange),
);
for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, async () => {
		if (isStopping) process.exit(130);
		isStopping = true;
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
		await stopDemo();
		process.exit(demo?.exitCode ?? 0);
	});

console.error(`Watching the sources of ${builtPackages.length} packages. Ctrl-C stops.`);
startDemo();
