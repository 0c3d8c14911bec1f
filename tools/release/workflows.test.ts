import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, ".github/workflows");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The parser's own reader of YAML. */
const { parse } = createRequire(import.meta.resolve("@actions/workflow-parser"))("yaml") as {
	parse(text: string): Workflow;
};

interface Step {
	readonly uses?: string;
	readonly run?: string;
	readonly with?: Readonly<Record<string, unknown>>;
	readonly env?: Readonly<Record<string, string>>;
}

interface Job {
	readonly uses?: string;
	readonly needs?: string;
	readonly environment?: string;
	readonly permissions?: Readonly<Record<string, string>>;
	readonly "timeout-minutes"?: number;
	readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
	readonly steps?: readonly Step[];
}

interface Workflow {
	readonly on: Readonly<Record<string, unknown>>;
	readonly permissions: Readonly<Record<string, string>>;
	readonly jobs: Readonly<Record<string, Job>>;
}

const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const files = readdirSync(folder);

/** Messages of GitHub's parser: structure, names, expressions. */
async function findErrors(name: string, content: string): Promise<readonly string[]> {
	const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
	if (value !== undefined) await convertWorkflowTemplate(context, value);
	return context.errors.getErrors().map(({ message }) => message);
}

describe.each(files)("the workflow %s", (file) => {
	const workflow = parse(read(file));
	const jobs = Object.values(workflow.jobs);
	const steps = jobs.flatMap((job) => job.steps ?? []);

	it("is one for GitHub", async () => {
		expect(await findErrors(file, read(file))).toEqual([]);
	});

	it("may read the repository, and what a job may do beyond that is said there", () => {
		expect(workflow.permissions).toEqual({ contents: "read" });
		for (const { uses, with: inputs } of steps.filter((step) => step.uses?.startsWith("actions/checkout@")))
			expect({ uses, inputs }).toMatchObject({ inputs: { "persist-credentials": false } });
	});

	it("ends in time, and uses no action but those of GitHub and Docker", () => {
		for (const job of jobs.filter(({ uses }) => uses === undefined))
			expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
		const actions = [...jobs, ...steps].flatMap(({ uses }) => uses ?? []);
		expect(actions.filter((uses) => !/^(?:\.\/|(?:actions|docker)\/[\w-]+@v\d+$)/.test(uses))).toEqual([]);
	});

	it("runs what there is", () => {
		const commands = steps.flatMap(({ run = "" }) => run.split("\n"));
		const names = commands.flatMap((line) => /\bnpm (?:run )?([\w:]+)/.exec(line)?.[1] ?? []);
		expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
		const paths = [
			...commands.flatMap((line) => /(?:^|node )(\.?[\w-]+\/[\w./-]+)/.exec(line)?.[1] ?? []),
			...jobs.flatMap(({ uses }) => uses ?? []),
		];
		expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});
});

it("finds what GitHub would refuse", async () => {
	const release = read("release.yml");
	expect(await findErrors("a.yml", release.replace("runs-on:", "runs-at:"))).not.toEqual([]);
	expect(await findErrors("a.yml", release.replace("needs: test", "needs: tests"))).not.toEqual([]);
	expect(await findErrors("a.yml", release.replace("secrets.NPM_TOKEN", "secret.NPM_TOKEN"))).not.toEqual([]);
});

describe("a release", () => {
	const { on, jobs } = parse(read("release.yml"));
	const { test, publish } = jobs;
	const commands = (publish?.steps ?? []).flatMap(({ run }) => run ?? []);

	it("is made of tags of versions alone, after all tests", () => {
		expect(on).toEqual({ push: { tags: ["v*"] } });
		expect(test?.uses).toBe("./.github/workflows/ci.yml");
		expect(publish?.needs).toBe("test");
		expect(parse(read("ci.yml")).on).toHaveProperty("workflow_call");
	});

	it("checks, packs, publishes and writes notes, in that order", () => {
		const order = ["main.ts check", "release:dry", "main.ts publish", "main.ts notes"];
		expect(commands.map((run) => order.findIndex((part) => run.includes(part)))).toEqual([0, 1, 2, 3]);
	});

	it("publishes the docs of the version once its packages are there", () => {
		expect(jobs.docs).toMatchObject({ needs: "publish", uses: "./.github/workflows/docs.yml" });
		expect(parse(read("docs.yml")).on).toHaveProperty("workflow_call");
	});

	it("has the releases before, as the HTTP API is compared with the last one", () => {
		const checkout = publish?.steps?.find(({ uses }) => uses?.startsWith("actions/checkout@"));
		expect(checkout?.with).toMatchObject({ "fetch-depth": 0 });
	});

	it("may state where a package was built, and shows npm's token to npm alone", () => {
		expect(publish?.environment).toBe("npm");
		expect(publish?.permissions).toEqual({ contents: "write", "id-token": "write" });
		const withToken = (publish?.steps ?? []).filter((step) => JSON.stringify(step).includes("secrets."));
		expect(withToken.map(({ run }) => run)).toEqual(["node tools/release/main.ts publish"]);
	});
});

it("runs on macOS and Windows, each with the Nodes of contributors", () => {
	const { jobs } = parse(read("test.yml"));
	expect(jobs.check?.strategy?.matrix).toMatchObject({
		os: ["macos-latest", "windows-latest"],
		node: [22, 24],
	});
});
