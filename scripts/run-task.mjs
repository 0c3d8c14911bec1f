// The tasks, for `task.mjs`. Needs Node and npm and nothing else; installs and builds what the task needs, and only when it changed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled, ensureToolInstalled } from "./install.mjs";
import { programOf } from "./program-of.mjs";
import { compilerFolder, typeSteps } from "./steps.mjs";
import { binaries, developmentNode, root } from "./workspace.mjs";

const tasks = {
	start: { needs: "javascript", command: (args) => node("scripts/demo.mjs", ...args) },
	dev: { needs: "javascript", command: (args) => node("scripts/dev.mjs", ...args) },
	stemma: {
		needs: "javascript",
		command: (args) => node(join(root, "packages/cli/dist/main.js"), ...args),
		cwd: process.env.INIT_CWD,
	},
	build: { needs: "everything", command: undefined },
	test: { needs: "nothing", command: (args) => node("scripts/test.mjs", ...args) },
	"test:all": { needs: "nothing", command: (args) => node("scripts/test.mjs", "--all", ...args) },
	"test:package": {
		needs: "everything",
		command: ([name, ...args]) => vitest("run", `packages/${name}/`, ...args),
	},
	"test:watch": { needs: "nothing", command: (args) => vitest("watch", "--project", "unit", ...args) },
	"test:changed": {
		needs: "nothing",
		command: (args) => vitest("run", "--project", "unit", "--changed", ...args),
	},
	// All packages: a change of one is often an error of another.
	typecheck: {
		needs: "nothing",
		tool: compilerFolder,
		command: (args) => {
			const [compiler, ...options] = typeSteps[0].command;
			return [join(binaries, compiler), [...options, ...args]];
		},
	},
	check: { needs: "nothing", command: (args) => node("scripts/check.mjs", ...args) },
	docs: {
		needs: "javascript",
		tool: "tools/docs-site",
		command: (args) => node("tools/docs/main.ts", ...args),
	},
	openapi: {
		needs: "nothing",
		command: (args) => vitest("run", "-u", "--project", "unit", "tools/openapi/documents.test.ts", ...args),
	},
	api: {
		needs: "everything",
		command: (args) => vitest("run", "-u", "--project", "build", "tools/api-reports/", ...args),
	},
	fuzz: {
		needs: "javascript",
		command: (args) => vitest("run", "--project", "build", "tools/fuzz/", ...args),
		env: { STEMMA_FUZZ_REQUESTS: process.env.STEMMA_FUZZ_REQUESTS ?? "50000" },
	},
	figures: { needs: "nothing", command: (args) => node("tools/figures/main.ts", ...args) },
	"release:version": { needs: "nothing", command: () => node("tools/release/main.ts", "version") },
	"release:dry": { needs: "nothing", command: () => node("tools/release/main.ts", "dry") },
	"web:shots": {
		needs: "javascript",
		command: (args) => vitest("run", "--project", "full", "tools/web-app/pictures.build.test.ts", ...args),
		env: { STEMMA_WEB_SHOTS: process.env.STEMMA_WEB_SHOTS ?? join(root, ".stemma/web-shots") },
	},
	bench: { needs: "everything", command: (args) => node("scripts/bench.mjs", ...args) },
};

const node = (...args) => [developmentNode(), args];
const vitest = (...args) => node(join(root, "node_modules/vitest/vitest.mjs"), ...args);

const [name, ...args] = process.argv.slice(2);
const task = tasks[name];
if (task === undefined) {
	console.error(`There is no task "${name ?? ""}". Tasks: ${Object.keys(tasks).join(", ")}.`);
	process.exit(1);
}

try {
	await ensureInstalled();
	if (task.tool !== undefined) await ensureToolInstalled(task.tool);
	if (task.needs !== "nothing") await ensureBuilt(task.needs);
} catch (error) {
	console.error(error.message);
	process.exit(1);
}

if (task.command !== undefined) {
	const [command, commandArgs] = task.command(args);
	const env = {
		...process.env,
		...task.env,
		PATH: `${binaries}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`,
	};
	const program = programOf(process.platform, command, commandArgs);
	const child = spawn(program.command, program.args, {
		cwd: task.cwd ?? root,
		stdio: "inherit",
		env,
		shell: program.shell,
	});
	// Ctrl-C reaches the program itself; this process waits for how it ends. Other signals reach this one alone.
	process.on("SIGINT", () => undefined);
	for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
	// Where npm was killed, nobody passes a signal on.
	const parent = process.ppid;
	setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
	child.on("error", (error) => {
		console.error(error.message);
		process.exit(1);
	});
	child.on("exit", (status, signal) => process.exit(status ?? (signal === "SIGINT" ? 130 : 1)));
}
