import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** Files below a folder, as `{name, extension, bytes}`; names are relative to it, with `/`. */
export const readFiles = (folder) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			const name = path.slice(folder.length + 1).replaceAll("\\", "/");
			return { name, extension: extname(name).slice(1).toLowerCase(), bytes: readFileSync(path) };
		})
		.sort((one, other) => (one.name < other.name ? -1 : 1));

export const readQuestions = (file) =>
	readFileSync(file, "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
