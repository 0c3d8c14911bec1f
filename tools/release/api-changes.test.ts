import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findPreviousTag, listApiChanges } from "./api-changes";

const folder = mkdtempSync(join(tmpdir(), "stemma-api-changes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: readonly string[]) =>
	execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
		cwd: folder,
	});

function commit(paths: object): void {
	mkdirSync(join(folder, "docs"), { recursive: true });
	for (const name of ["openapi.json", "openapi-runtime.json"])
		writeFileSync(
			join(folder, "docs", name),
			JSON.stringify({ paths: name === "openapi.json" ? paths : {} }),
		);
	git("add", ".");
	git("commit", "--quiet", "--no-gpg-sign", "--message", "Next");
}

it("compares the documents with those of the last release", () => {
	git("init", "--quiet");
	commit({ "/v1/ask": { post: { responses: { 200: {} } } } });
	expect(findPreviousTag(folder)).toBeUndefined();
	git("tag", "v0.1.0");
	commit({ "/v1/ask": { post: { responses: { 200: {}, 202: {} } } } });
	git("tag", "v0.2.0");
	// The tag of the commit itself is the release that is being made.
	expect(findPreviousTag(folder)).toBe("v0.1.0");
	expect(listApiChanges("v0.1.0", folder)).toEqual([]);
	commit({ "/v1/answer": { post: { responses: { 200: {} } } } });
	expect(findPreviousTag(folder)).toBe("v0.2.0");
	expect(listApiChanges("v0.2.0", folder)).toEqual(["POST /v1/ask: An operation is not there any more."]);
});
