// Builds the packages when their sources have changed: JavaScript alone, which is quick, or the types too.
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
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
	const expected = fingerprint(sources(), process.platform);
	const built = builtPackages.every((name) => existsSync(join(root, "packages", name, "dist")));
	const stamp = readStamp("built");
	if (built && (stamp === `everything ${expected}` || stamp === `${outputs} ${expected}`)) return;
	console.error("Building …");
	// Until it is whole there is no build: a stopped one must not pass for the one before.
	writeStamp("built", "");
	await Promise.all(builtPackages.map((name) => buildPackage(name, outputs)));
	writeStamp("built", `${outputs} ${expected}`);
}

function sources() {
	const shared = ["pnpm-lock.yaml", "tsconfig.base.json", "tsup.base.ts"];
	// Test support: in no build.
	const own = packages
		.filter((name) => name !== "simulators")
		.flatMap((name) => {
			const folder = `packages/${name}`;
			const code = listFiles(`${folder}/src`).filter((file) => !file.includes(".test."));
			return [`${folder}/package.json`, `${folder}/tsup.config.ts`, ...code.sort()];
		});
	return [...shared, ...own];
}

function buildPackage(name, outputs) {
	const tsup = join(root, "node_modules", "tsup", "dist", "cli-default.js");
	const args = [tsup, "--silent", ...(outputs === "javascript" ? ["--no-dts"] : [])];
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
