// Builds the packages whose sources have changed: JavaScript alone, which is quick, or the types too.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyPages, PAGES } from "./copy-pages.mjs";
import {
	builtPackages,
	developmentNode,
	fingerprint,
	listFiles,
	packages,
	readStamp,
	root,
	writeStamp,
} from "./workspace.mjs";

/** @param {"javascript" | "everything"} outputs */
export async function ensureBuilt(outputs) {
	const stale = builtPackages
		.map((name) => ({ name, expected: fingerprint(listSources(name), process.platform) }))
		.filter(({ name, expected }) => !isBuilt(name, outputs, expected));
	if (stale.length === 0) return;
	console.error("Building …");
	await Promise.all(
		stale.map(async ({ name, expected }) => {
			// Until it is whole there is no build: a stopped one must not pass for the one before.
			writeStamp(`built-${name}`, "");
			await buildPackage(name, outputs);
			if (!isOfPages(name)) writeStamp(`built-${name}`, `${outputs} ${expected}`);
		}),
	);
	const changed = stale.filter(({ name }) => isOfPages(name));
	if (changed.length > 0) copyPages();
	for (const { name, expected } of changed) writeStamp(`built-${name}`, `${outputs} ${expected}`);
}

/** The service ships the files of pages, which are built at the same time. */
const isOfPages = (name) => name === "service" || name in PAGES;

function isBuilt(name, outputs, expected) {
	const stamp = readStamp(`built-${name}`);
	const isCurrent = stamp === `everything ${expected}` || stamp === `${outputs} ${expected}`;
	return isCurrent && existsSync(join(root, "packages", name, "dist"));
}

/** What a package is built from: its own sources and those of the packages that it depends on, which may be bundled into it. */
function listSources(name) {
	const names = new Set([name]);
	// A set grows while it is walked.
	for (const one of names) for (const other of listDependencies(one)) names.add(other);
	const own = [...names].sort().flatMap((one) => {
		const folder = `packages/${one}`;
		const code = listFiles(`${folder}/src`).filter((file) => !file.includes(".test."));
		const settings = ["package.json", "tsup.config.ts", "vite.config.ts", "index.html", "chat.css"];
		return [...settings.map((file) => `${folder}/${file}`), ...code.sort()];
	});
	return ["pnpm-lock.yaml", "tsconfig.base.json", "tsup.base.ts", "vite.base.ts", ...own];
}

/** Packages of this repository that a package depends on; simulators are test support, and in no build. */
function listDependencies(name) {
	const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
	const { dependencies, devDependencies, peerDependencies } = manifest;
	return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
		.map((dependency) => dependency.replace("@stemma/", ""))
		.filter((dependency) => dependency !== "simulators" && packages.includes(dependency));
}

const viteArguments = () => [
	join(root, "node_modules", "vite", "bin", "vite.js"),
	"build",
	"--logLevel",
	"warn",
];

const tsupArguments = (outputs) => [
	join(root, "node_modules", "tsup", "dist", "cli-default.js"),
	"--silent",
	...(outputs === "javascript" ? ["--no-dts"] : []),
];

function buildPackage(name, outputs) {
	const args = name in PAGES ? viteArguments() : tsupArguments(outputs);
	rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true });
	return new Promise((resolve, reject) => {
		let output = "";
		const child = spawn(developmentNode(), args, { cwd: join(root, "packages", name) });
		child.stdout.on("data", (chunk) => (output += chunk));
		child.stderr.on("data", (chunk) => (output += chunk));
		child.on("error", reject);
		child.on("close", (status) =>
			status === 0 ? resolve() : reject(new Error(`${output}\nBuilding packages/${name} failed.`)),
		);
	});
}
