import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseYaml } from "./parse-yaml.ts";
import { readStages } from "./read-dockerfile.ts";

interface Step {
	readonly uses?: string;
	readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
	readonly permissions: Readonly<Record<string, string>>;
	readonly strategy: {
		readonly matrix: { readonly target: readonly string[]; readonly platform?: readonly Platform[] };
	};
	readonly steps: readonly Step[];
	readonly "timeout-minutes": number;
}

interface Platform {
	readonly name: string;
}

const file = new URL("../../.github/workflows/images.yml", import.meta.url);
const workflow = parseYaml(await readFile(file, "utf8")) as {
	readonly permissions: Readonly<Record<string, string>>;
	readonly jobs: { readonly build: Job; readonly publish: Job };
};
const { build, publish } = workflow.jobs;
const findStep = (job: Job, action: string): Step | undefined =>
	job.steps.find(({ uses }) => uses?.startsWith(`${action}@`));

it("builds each target of the Dockerfile, for both architectures", async () => {
	const targets = (await readStages())
		.map(({ name }) => name)
		.filter((name) => !["build", "base"].includes(name));
	for (const job of [build, publish])
		expect(job.strategy.matrix.target.toSorted()).toEqual(targets.toSorted());
	const platforms = build.strategy.matrix.platform?.map(({ name }) => name);
	expect(platforms).toEqual(["linux/amd64", "linux/arm64"]);
	expect(findStep(build, "docker/build-push-action")?.with).toMatchObject({
		context: ".",
		file: "deploy/Dockerfile",
	});
});

it("stores what is in an image and how it was built", () => {
	const options = findStep(build, "docker/build-push-action")?.with;
	expect(options).toMatchObject({ sbom: true, provenance: "mode=max" });
	for (const label of ["source", "revision", "version"])
		expect(options?.labels).toContain(`org.opencontainers.image.${label}=`);
});

it("may write packages, and nothing else", () => {
	expect(workflow.permissions).toEqual({ contents: "read" });
	expect(build.permissions).toEqual({ contents: "read", packages: "write" });
	expect(publish.permissions).toEqual({ packages: "write" });
	expect(findStep(build, "actions/checkout")?.with).toEqual({ "persist-credentials": false });
	for (const job of [build, publish]) expect(job["timeout-minutes"]).toBeLessThanOrEqual(30);
});
