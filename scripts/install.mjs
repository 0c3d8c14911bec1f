// Installs dependencies with the pinned pnpm when the lockfile or a manifest has changed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm, withPinnedPnpm } from "./pinned-pnpm.mjs";
import { examples, fingerprint, packages, readStamp, root, writeStamp } from "./workspace.mjs";

const { packageManager: pnpm } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The workspace; a second call in an unchanged checkout takes milliseconds. */
export function ensureInstalled() {
	const manifests = [
		...packages.map((name) => `packages/${name}`),
		...examples.map((name) => `examples/${name}`),
	].map((folder) => `${folder}/package.json`);
	return install(".", ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ".npmrc", ...manifests]);
}

/** A tool with a lockfile of its own, such as `tools/bench`: installed by the task that needs it. */
export function ensureToolInstalled(folder) {
	return install(
		folder,
		["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml"].map((name) => `${folder}/${name}`),
	);
}

async function install(folder, inputs) {
	const stamp = `installed-${folder.replaceAll(/\W/g, "-")}`;
	const expected = fingerprint(inputs, pnpm, process.platform, process.arch);
	if (readStamp(stamp) === expected && existsSync(join(root, folder, "node_modules"))) return;
	console.error(
		folder === "." ? "Installing dependencies (once, or after they changed) …" : `Installing ${folder} …`,
	);
	const command = ["--", "pnpm", "install", "--frozen-lockfile", "--reporter=append-only"];
	try {
		await withPinnedPnpm((tarballs) =>
			runNpm(["exec", "--yes", ...tarballs.map((tarball) => `--package=${tarball}`), ...command], {
				cwd: join(root, folder),
				env: { ...process.env, CI: "true" },
			}),
		);
	} catch ({ message, stdout = "" }) {
		throw new Error(`${stdout}${message}\nInstalling failed. Is the npm registry reachable?`);
	}
	writeStamp(stamp, expected);
}
