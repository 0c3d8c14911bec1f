import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explainUnsuitableNode, findPackagedNode } from "../../scripts/node-version.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const toHost = (name: string, version: string) => {
	const [platform = "", arch = "", libc] = name.split("-");
	return { platform, arch, version, isMusl: libc === "musl" };
};

describe("the Node that the tasks need", () => {
	it.each([
		["linux-x64", "20.0.0"],
		["linux-arm64", "20.20.2"],
		["win32-x64", "24.3.0"],
		["darwin-arm64", "22.18.0"],
		["darwin-x64", "24.0.0"],
		["linux-x64-musl", "26.1.0"],
	])("is there on %s with %s", (platform, version) => {
		expect(explainUnsuitableNode(toHost(platform, version))).toBeUndefined();
	});

	it.each([
		["linux-x64", "18.20.8"],
		["linux-x64", "12.22.12"],
		["darwin-arm64", "20.20.2"],
		["darwin-x64", "22.17.1"],
		["darwin-x64", "23.11.0"],
		["win32-x64", "20.20.2"],
		["linux-riscv64", "20.20.2"],
		["linux-x64-musl", "20.20.2"],
	])("is to be installed on %s with %s", (platform, version) => {
		expect(explainUnsuitableNode(toHost(platform, version))).toContain(
			`and this is Node ${version}. Install Node 24`,
		);
	});

	it("comes as an optional dependency, of one version, wherever an old one does", () => {
		const names = ["linux-x64", "linux-arm64"].map((platform) => findPackagedNode(toHost(platform, "")));
		expect(Object.keys(manifest.optionalDependencies).sort()).toEqual(names.sort());
		expect(new Set(Object.values(manifest.optionalDependencies)).size).toBe(1);
	});
});

describe("a task on a Node that does not do", () => {
	let folder = "";
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), "stemma-node-"));
		cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
		writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it.each(["start", "test", "stemma"])("says what to install before it installs: %s", (task) => {
		const disguise = `Object.defineProperty(process, "platform", { value: "darwin" });
			Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;
		const args = [
			"--import",
			`data:text/javascript,${encodeURIComponent(disguise)}`,
			"scripts/task.mjs",
			task,
		];
		const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
		expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
		expect(stderr).toMatch(/^On darwin-\w+ this needs Node 24, .*Install Node 24.*\n$/);
		expect(existsSync(join(folder, "node_modules"))).toBe(false);
	});

	it("can be read by an old Node as far as that", () => {
		for (const file of ["task.mjs", "node-version.mjs"]) {
			const code = readFileSync(join(root, "scripts", file), "utf8").replaceAll(
				/^\s*(?:\/\/|\/\*\*).*$/gm,
				"",
			);
			// What came after Node 12: these, and `await` outside of functions.
			expect(code).not.toMatch(
				/\?\?|\?\.|\|\|=|&&=|^\s*(?:const .* = )?await\b|\bstatic \{|replaceAll|\.at\(|hasOwn/m,
			);
			execFileSync(process.execPath, ["--check", join(root, "scripts", file)]);
		}
	});
});
