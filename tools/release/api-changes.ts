import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findBreakingChanges, RULES } from "../openapi/breaking-changes.ts";
import { root } from "../sources/list-files.ts";

const DOCUMENTS = ["docs/openapi.json", "docs/openapi-runtime.json"];

/** Last release before the commit that is checked out, such as `v0.1.0`; `undefined` before the first one. */
export function findPreviousTag(folder: string = root): string | undefined {
	try {
		return git(folder, "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^");
	} catch {
		return undefined;
	}
}

/**
 * Lists what in the OpenAPI documents breaks clients that were written for a release, each as a line.
 *
 * @param tag - of that release, which the checkout has to contain.
 */
export const listApiChanges = (tag: string, folder: string = root): readonly string[] =>
	DOCUMENTS.flatMap((path) => {
		const before = JSON.parse(git(folder, "show", `${tag}:${path}`));
		const after = JSON.parse(readFileSync(join(folder, path), "utf8"));
		return findBreakingChanges(before, after).map(({ rule, at }) => `${at}: ${RULES[rule]}`);
	});

const git = (cwd: string, ...args: readonly string[]): string =>
	execFileSync("git", args, {
		cwd,
		encoding: "utf8",
		maxBuffer: 64 * 1024 * 1024,
		stdio: ["ignore", "pipe", "pipe"],
	}).trim();
