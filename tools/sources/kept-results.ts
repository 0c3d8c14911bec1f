import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listFiles, root } from "./list-files.ts";

/** What a rule found in each file, kept until the file or the rules change. */
export interface KeptResults<T> {
	/** What was found in the text of a file, or else is found now. */
	get(path: string, text: string, find: () => readonly T[]): readonly T[];
	/** Keeps what was asked for, and nothing else. */
	save(): void;
}

const FOLDER = join(root, "node_modules/.stemma");

/** Reads the results that are kept as `name`; none, where the rules have changed since. */
export function readKeptResults<T>(name: string): KeptResults<T> {
	const file = join(FOLDER, `${name}.json`);
	const rules = toHash([
		ts.version,
		...listFiles(["tools/language", "tools/sources"], /\.ts$/).map(readText),
	]);
	const known = readResults<T>(file, rules);
	const asked: Record<string, readonly T[]> = {};
	return {
		get(path, text, find) {
			const key = toHash([path, text]);
			const found = known[key] ?? find();
			asked[key] = found;
			return found;
		},
		save() {
			if (Object.keys(asked).every((key) => key in known)) return;
			mkdirSync(FOLDER, { recursive: true });
			const temporary = `${file}.${process.pid}`;
			writeFileSync(temporary, JSON.stringify({ rules, results: asked }));
			renameSync(temporary, file);
		},
	};
}

const readText = (path: string): string => readFileSync(join(root, path), "utf8");

const toHash = (parts: readonly string[]): string =>
	createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

function readResults<T>(file: string, rules: string): Readonly<Record<string, readonly T[]>> {
	try {
		const kept = JSON.parse(readFileSync(file, "utf8"));
		return kept.rules === rules ? kept.results : {};
	} catch {
		return {};
	}
}
