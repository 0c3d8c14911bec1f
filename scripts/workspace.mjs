// Where things are in this repository, and the Node that it is developed on.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { currentHost, findPackagedNode } from "./node-version.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const binaries = join(root, "node_modules", ".bin");
export const packages = readdirSync(join(root, "packages"));
/** Packages with a build of their own; the others are bundled into these. */
export const builtPackages = packages.filter((name) =>
	["tsup.config.ts", "vite.config.ts"].some((file) => existsSync(join(root, "packages", name, file))),
);
/** Packages that npm gets; the web app comes with the service. */
export const publishedPackages = builtPackages.filter((name) =>
	existsSync(join(root, "packages", name, "tsup.config.ts")),
);
export const examples = readdirSync(join(root, "examples"));

/** Node 24 comes as an npm package; where there is none for the platform, the Node that runs this does: `task.mjs` has looked. */
export function developmentNode() {
	const packaged = findPackagedNode(currentHost());
	if (packaged === undefined) return process.execPath;
	return join(root, "node_modules", packaged, "bin", "node");
}

/** Files of a folder of this repository, with its subfolders. Written out: the recursive listing of Node lacks parts before 20.12. */
export const listFiles = (folder) =>
	readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		return entry.isDirectory() ? listFiles(path) : [path];
	});

/** A fingerprint of files by name and content; missing ones count as missing. */
export function fingerprint(files, ...more) {
	const hash = createHash("sha256");
	for (const part of more) hash.update(`${part}\n`);
	for (const file of files) {
		hash.update(`${file}\n`);
		if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
	}
	return hash.digest("hex");
}

const stampFile = (name) => join(root, "node_modules", ".stemma", name);

export function readStamp(name) {
	return existsSync(stampFile(name)) ? readFileSync(stampFile(name), "utf8") : "";
}

export function writeStamp(name, content) {
	mkdirSync(dirname(stampFile(name)), { recursive: true });
	writeFileSync(stampFile(name), content);
}
