import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { expectNoSecrets } from "./secrets";
import { vendorEnvironment } from "./servers";
import { BUILT_IN_PAYER, type Stack, startStack, vendorPayer } from "./stack";
import { startVendor, type Vendor } from "./vendor";

const node18 = fileURLToPath(
	new URL(`../platforms/node_modules/node18-${process.platform}-${process.arch}/bin/node`, import.meta.url),
);
const RUNTIME_TOKEN = "a-token-of-the-runtime-that-nobody-may-read";

/** One line; Node 18 adds a warning of its own where a form holds a file. */
const ONLY_SUMMARY = /^(\(node:\d+\) ExperimentalWarning: buffer\.File .*\n\(Use .*\n)?\{"node":.*\}\n$/;

const harness = createHarness();
let consumer: PackedConsumer;
let vendor: Vendor;
let stacks: Record<"built-in" | "vendor", Stack>;

async function prepareConsumer(): Promise<PackedConsumer> {
	const packed = await createPackedConsumer(["core", "engine", "client", "local"]);
	await cp(new URL("consumer", import.meta.url), join(packed.folder, "scenario"), { recursive: true });
	return packed;
}

async function startStacks(): Promise<typeof stacks> {
	vendor = await startVendor();
	const [builtIn, withVendor] = await Promise.all([
		startStack(harness, { payer: BUILT_IN_PAYER }),
		startStack(harness, {
			payer: vendorPayer(vendor),
			env: vendorEnvironment(vendor.baseUrl, vendor.apiKey),
			runtimeToken: RUNTIME_TOKEN,
		}),
	]);
	return { "built-in": builtIn, vendor: withVendor };
}

beforeAll(async () => {
	[consumer, stacks] = await Promise.all([prepareConsumer(), startStacks()]);
});
afterAll(async () => {
	await Promise.all([harness.end(), consumer?.remove(), vendor?.close()]);
});

interface Summary {
	readonly node: string;
	readonly answer: string;
	readonly output: string;
	readonly modelCalls: number;
}

const summaries: (Summary & { readonly stack: string })[] = [];
const secretsOfRuns: Record<string, string[]> = { "access token": [], "run token": [] };

/** They run at once, each with files of its own. */
let scenarios = 0;

/** Runs the scenario as a program of its own. */
async function runScenario(stack: keyof typeof stacks, program: string, node: string): Promise<Summary> {
	scenarios += 1;
	const name = `${stack}-${program}-${scenarios}`;
	const settings = await consumer.write(`${name}-settings.json`, JSON.stringify(stacks[stack].settings));
	const secrets = join(consumer.folder, `${name}-secrets.json`);
	const scenario = harness.start({
		args: [join(consumer.folder, "scenario", program), settings, secrets],
		cwd: consumer.folder,
		node,
	});
	const { code } = await scenario.ended;
	expect({ code, output: scenario.output() }).toEqual({
		code: 0,
		output: expect.stringMatching(ONLY_SUMMARY),
	});
	const { accessTokens, runTokens } = JSON.parse(await readFile(secrets, "utf8"));
	secretsOfRuns["access token"]?.push(...accessTokens);
	secretsOfRuns["run token"]?.push(...runTokens);
	const summary: Summary = JSON.parse(scenario.stdout());
	summaries.push({ ...summary, stack });
	return summary;
}

const THIS_NODE = { version: process.version, node: process.execPath };
const NODE_18 = { version: "v18.20.8", node: node18 };
const PROGRAMS = [
	{ stack: "built-in", program: "main.mjs", ...THIS_NODE },
	{ stack: "built-in", program: "main.cjs", ...THIS_NODE },
	{ stack: "vendor", program: "main.mjs", ...THIS_NODE },
	{ stack: "vendor", program: "main.cjs", ...THIS_NODE },
	{ stack: "built-in", program: "main.cjs", ...NODE_18 },
	{ stack: "vendor", program: "main.mjs", ...NODE_18 },
] as const;

it.concurrent.for(PROGRAMS)("$program runs all steps on Node $version: $stack", async (run, context) => {
	context.skip(!existsSync(run.node), "Node 18 is not installed.");
	const { node, answer, output } = await runScenario(run.stack, run.program, run.node);
	expect(node).toBe(run.version);
	for (const text of [answer, output]) expect(text).toContain("16 weeks");
});

it("gives every program the same answers", () => {
	for (const stack of Object.keys(stacks)) {
		const own = summaries.filter((summary) => summary.stack === stack);
		expect(new Set(own.map(({ answer, output }) => `${answer}\n${output}`)).size).toBe(1);
	}
});

it("has each call to the vendor on one receipt, and no other call is made", () => {
	const modelCallCounts = summaries
		.filter(({ stack }) => stack === "vendor")
		.map(({ modelCalls }) => modelCalls);
	expect(vendor.requests.length).toBe(modelCallCounts.reduce((sum, calls) => sum + calls, 0));
	expect(
		vendor.requests.filter(({ rejection, isAnswered }) => rejection !== undefined || !isAnswered),
	).toEqual([]);
});

it("writes no secret to any output", () => {
	const kinds = Object.values(stacks).map(({ secrets }) => secrets);
	for (const secrets of [...kinds, secretsOfRuns, { "vendor key": [vendor.apiKey] }])
		expectNoSecrets(harness.outputs(), secrets);
	expect(secretsOfRuns["run token"]?.length).toBeGreaterThan(10);
});
