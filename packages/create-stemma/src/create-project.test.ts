import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent } from "@stemma/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { version } from "../package.json";
import { createProject } from "./create-project";
import { describeNextSteps } from "./describe-next-steps";

let parent: string;
beforeEach(async () => {
	parent = await mkdtemp(join(tmpdir(), "stemma-create-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const inParent = (name: string): string => join(parent, name);

it("makes a project with the versions that belong together, and agents that are valid", async () => {
	const { folder, name, files } = await createProject({ folder: inParent("My Desk") });
	expect(name).toBe("my-desk");
	expect(files).toEqual(expect.arrayContaining([".gitignore", "agents/desk.json", "web/index.html"]));
	expect(files.filter((file) => file.startsWith("_"))).toEqual([]);
	const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	expect(manifest).toMatchObject({ name: "my-desk", private: true });
	expect(new Set(Object.values(manifest.dependencies))).toEqual(new Set([`^${version}`]));
	for (const name of ["desk", "hours"]) {
		const agent = JSON.parse(await readFile(join(folder, `agents/${name}.json`), "utf8"));
		expect(() => defineAgent(agent)).not.toThrow();
	}
});

it("fills an empty folder, also one that is a repository already", async () => {
	await mkdir(inParent("desk/.git"), { recursive: true });
	const { files } = await createProject({ folder: inParent("desk"), name: "@shop/desk" });
	expect(files).toContain("package.json");
});

describe("refuses, and writes nothing", () => {
	it("a folder that is not empty", async () => {
		await mkdir(inParent("desk"));
		await writeFile(inParent("desk/notes.md"), "Mine.");
		await expect(createProject({ folder: inParent("desk") })).rejects.toMatchObject({
			code: "folder_not_empty",
			message: expect.stringContaining("notes.md"),
		});
		expect(await readdir(inParent("desk"))).toEqual(["notes.md"]);
	});

	it("a file in its place", async () => {
		await writeFile(inParent("desk"), "Mine.");
		await expect(createProject({ folder: inParent("desk") })).rejects.toMatchObject({
			code: "folder_not_writable",
		});
	});

	it.each(["Desk", "../desk", "", "a b"])("the name %j", async (name) => {
		await expect(createProject({ folder: inParent("desk"), name })).rejects.toMatchObject({
			code: "invalid_name",
		});
		expect(await readdir(parent)).toEqual([]);
	});
});

it("says what to do next, from where the commands are typed, and on which Node", async () => {
	const project = { folder: inParent("a desk"), name: "a-desk", files: ["package.json"] };
	const text = describeNextSteps(project, { workingFolder: parent, node: "20.20.2" });
	expect(text).toContain('  cd "a desk"\n  npm install\n');
	expect(text).toContain("needs Node 22.16 or later, and this is Node 20.20.2");
	const inside = describeNextSteps(project, { workingFolder: project.folder, node: "24.3.0" });
	expect(inside).not.toMatch(/cd |22\.16/);
});
