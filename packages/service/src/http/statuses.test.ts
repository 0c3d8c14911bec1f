import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DomainError } from "../errors/domain-error";
import { hasStatus, toStatus } from "./statuses";

const listCodes = (file: string): string[] =>
	[...readFileSync(file, "utf8").matchAll(/new DomainError\(\s*"(\w+)"/g)].map(([, code = ""]) => code);

it("knows every code that the service writes out", () => {
	const folders = [`${import.meta.dirname}/..`, `${import.meta.dirname}/../../../protocol/src`];
	const files = folders.flatMap((cwd) => globSync("**/*.ts", { cwd }).map((file) => `${cwd}/${file}`));
	const codes = new Set(files.filter((file) => !file.includes("test")).flatMap(listCodes));
	expect(codes.size).toBeGreaterThan(80);
	expect([...codes].filter((code) => !hasStatus(code))).toEqual([]);
});

it.each([
	["of the service", "cancelled", undefined, 409],
	["of a library", "signing_not_supported", undefined, 422],
	["of a failed run", "cancelled", "upstream", 502],
	["of a vendor's limit", "quota", "upstream", 429],
	["of a workspace's limit", "too_many_bytes", undefined, 429],
	["of a limit of all workspaces", "too_many_bytes", "deployment", 503],
	["that a model reports, at the request's fault", "context_length_exceeded", "request", 400],
] as const)("gives the status of a code %s", (_, code, origin, status) => {
	expect(toStatus(new DomainError(code, "No.", { origin }))).toBe(status);
});
