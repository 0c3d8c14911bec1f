import type { RunResult } from "@stemma/core";
import { REFUSAL_CODES } from "@stemma/routing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DEPLOYMENTS, MODEL_PREFERENCES, NOVA, NOVA_PRO, OVERRIDES, WORKSPACES } from "./payers/deployments";
import {
	type Deployment,
	ENVIRONMENTS,
	type RunEnvironment,
	SCORED,
	startDeployment,
	toGraphName,
	toOuterName,
} from "./payers/environments";
import { AWS_KEYS, type Outcome, type RecordedCall, startVendors, type Vendors } from "./payers/vendors";

// A run of the service, one of a runtime and one in this process: the same models, payers, refusals and receipts, and the
// receipts are what the vendors saw.

const TIMEOUT_MS = 240_000;

let vendors: Vendors;
beforeAll(async () => {
	vi.stubEnv("AWS_PROFILE", undefined);
	vi.stubEnv("AWS_REGION", "us-east-1");
	vi.stubEnv("AWS_ACCESS_KEY_ID", AWS_KEYS.machine.accessKeyId);
	vi.stubEnv("AWS_SECRET_ACCESS_KEY", AWS_KEYS.machine.secretAccessKey);
	vi.stubEnv("AWS_SESSION_TOKEN", undefined);
	vendors = await startVendors();
});
afterAll(async () => {
	vi.unstubAllEnvs();
	await vendors?.close();
});

/** How a run ended, and what it says was paid: all but ids and times. */
const toOutcome = ({ status, error, receipt }: RunResult) => ({
	status,
	error: error && { code: error.code, message: error.message, hint: error.hint, details: error.details },
	receipt: receipt.map(({ ms: _, run_id, ...row }) => ({ ...row, isNested: run_id !== undefined })),
});

type RunOutcome = ReturnType<typeof toOutcome>;

/** The rows of calls that cost something, as a vendor would know them. */
const toPaid = ({ receipt }: RunOutcome) =>
	receipt
		.filter(({ payer }) => payer !== "none")
		.map(({ payer, vendor_host, model }) => ({ payer, vendor_host, model }));

const byText = (one: object, other: object): number =>
	JSON.stringify(one).localeCompare(JSON.stringify(other));

interface Case {
	readonly deployment: Deployment;
	readonly graph: string;
	/** What is done with each call to a vendor, in their order. Default: all are answered. */
	readonly outcomes?: readonly (readonly [call: RecordedCall, outcome: Outcome])[];
}

/** Runs a graph, and checks its receipt against what the vendors saw. */
async function runAt(environment: RunEnvironment, { deployment, graph, outcomes = [] }: Case) {
	vendors.drainCalls();
	for (const [call, outcome] of outcomes) vendors.enqueue(call, outcome);
	const outcome = toOutcome(await deployment.run(environment, graph));
	const paid = toPaid(outcome);
	expect([...paid].sort(byText)).toEqual([...vendors.drainCalls()].sort(byText));
	return { outcome, paid };
}

/** Runs a graph everywhere: it must come to the same. */
async function runInAllEnvironments(one: Case) {
	const first = await runAt("service", one);
	for (const environment of ENVIRONMENTS.slice(1))
		expect({ environment, ...(await runAt(environment, one)) }).toEqual({ environment, ...first });
	return first;
}

const isRefused = ({ error }: RunOutcome): boolean =>
	error !== undefined && (REFUSAL_CODES as readonly string[]).includes(error.code);

async function set({ stemma, bases }: Deployment, workspace: string, override: keyof typeof OVERRIDES) {
	const settings = WORKSPACES[workspace]?.(vendors);
	if (settings === undefined) await stemma.llmSettings.delete();
	else await stemma.llmSettings.set(settings as Parameters<typeof stemma.llmSettings.set>[0]);
	await stemma.knowledge.update(bases[0], OVERRIDES[override]);
}

/** The workspaces and knowledge bases that each deployment meets. */
const CASES = Object.keys(WORKSPACES).flatMap((workspace) =>
	(Object.keys(OVERRIDES) as (keyof typeof OVERRIDES)[]).map((override) => [workspace, override] as const),
);

const isAllTests = process.env.STEMMA_TESTS === "all";

/** `npm run test:all` tries all cases with all deployments; otherwise a sixth of them, each case with one deployment. */
const isInSample = (index: number, environment: number): boolean =>
	isAllTests || (index + environment) % 6 === 0;

/** Several knowledge bases: none decides. */
const GRAPHS = [
	...Object.keys(MODEL_PREFERENCES).map((preference) => [preference, 1] as const),
	["nothing", 2],
	["another provider with a model", 2],
] as const;

const FAILING = [toGraphName("nothing", 1), toGraphName("another provider with a model", 1)];

describe.each(Object.keys(DEPLOYMENTS).map((name, environment) => [name, environment] as const))(
	"a deployment with %s",
	(name, environment) => {
		let deployment: Deployment;
		beforeAll(async () => {
			deployment = await startDeployment(DEPLOYMENTS[name]?.(vendors) ?? {});
		});
		afterAll(() => deployment?.close());

		it.each(CASES.filter((_, index) => isInSample(index, environment)))(
			"a workspace with %s, a knowledge base with %s",
			async (workspace, override) => {
				await set(deployment, workspace, override);
				for (const [preference, bases] of GRAPHS) {
					const graph = toGraphName(preference, bases);
					const { outcome, paid } = await runInAllEnvironments({ deployment, graph });
					expect(outcome.status).toBe(isRefused(outcome) ? "failed" : "completed");
					if (isRefused(outcome)) expect(paid).toEqual([]);
					else if (FAILING.includes(graph)) await runWithFailures({ deployment, graph }, paid);
				}
			},
			TIMEOUT_MS,
		);
	},
);

/** The first call fails, then only the last. */
async function runWithFailures(one: Case, calls: readonly RecordedCall[]): Promise<void> {
	for (const failure of ["status 401", "cut stream"] as const)
		for (const failing of new Set(calls.length === 0 ? [] : [1, calls.length])) {
			const outcomes = calls
				.slice(0, failing)
				.map((call, index) => [call, index === failing - 1 ? failure : "answer"] as const);
			const { outcome, paid } = await runInAllEnvironments({ ...one, outcomes });
			expect([outcome.status, paid]).toEqual(["failed", calls.slice(0, failing)]);
		}
}

describe("a vendor with a key, and a workspace with a Bedrock key", () => {
	let deployment: Deployment;
	beforeAll(async () => {
		deployment = await startDeployment(DEPLOYMENTS["a vendor with a key"]?.(vendors) ?? {});
	});
	afterAll(() => deployment?.close());

	const onDeploymentHost = () => ({ payer: "deployment", vendor_host: new URL(vendors.host.baseUrl).host });
	const onOwn = () => ({
		payer: "workspace",
		vendor_host: new URL(vendors.amazon.baseUrl).host,
		model: NOVA,
	});
	const run = (preference: keyof typeof MODEL_PREFERENCES, outcomes: Case["outcomes"] = []) =>
		runInAllEnvironments({ deployment, graph: toGraphName(preference, 1), outcomes });

	it("names the payer of a call that failed: the one whose key the vendor saw", async () => {
		await set(deployment, "a Bedrock key", "provider and model");
		const call = { ...onDeploymentHost(), model: "gpt-a" };
		for (const failure of ["status 401", "cut stream"] as const) {
			const { outcome } = await run("nothing", [[call, failure]]);
			expect(outcome.receipt).toMatchObject([{ ...call, node: "desk", provider: "openai-compatible" }]);
		}
	});

	it("runs a node on another provider than the workspace's", async () => {
		await set(deployment, "a Bedrock key", "no override");
		const { outcome, paid } = await run("another provider with a model");
		expect(outcome.status).toBe("completed");
		expect(paid).toEqual([onOwn(), { ...onDeploymentHost(), model: "gpt-a" }]);
	});

	it("pays nothing where the last node is refused, and has no rows", async () => {
		await set(deployment, "no settings", "no override");
		const { outcome, paid } = await run("a model that is not allowed");
		expect(outcome).toMatchObject({
			status: "failed",
			error: {
				code: "model_not_allowed",
				details: { refusals: [{ node: "tail", code: "model_not_allowed" }] },
			},
			receipt: [],
		});
		expect(paid).toEqual([]);
	});

	it("lists all that is refused, with the code that comes first", async () => {
		await set(deployment, "no settings", "no override");
		const { outcome } = await run("what is refused twice");
		expect(outcome.error).toMatchObject({
			code: "credential_required",
			details: {
				refusals: [
					{ node: "desk", code: "model_not_allowed" },
					{ node: "tail", code: "credential_required" },
				],
			},
		});
	});

	it.each(Object.keys(MODEL_PREFERENCES))(
		"is the same for an agent of the service within: %s",
		async (preference) => {
			await set(deployment, "a Bedrock key", "no override");
			const graph = toGraphName(preference, 1);
			const inner = await runInAllEnvironments({ deployment, graph });
			const { outcome } = await runInAllEnvironments({ deployment, graph: toOuterName(graph) });
			expect(outcome.error?.code).toBe(inner.outcome.error?.code);
			expect(outcome.receipt.filter(({ isNested }) => isNested)).toHaveLength(inner.outcome.receipt.length);
		},
	);

	it("has passages scored by the model that the coordinator names, whatever a knowledge base says", async () => {
		await set(deployment, "a Bedrock key", "a model");
		const { outcome } = await runInAllEnvironments({ deployment, graph: SCORED });
		expect(outcome.receipt).toMatchObject([
			{ stage: "score", node: "books", ...onDeploymentHost(), model: "gpt-a" },
			{ stage: "answer", node: "desk", ...onDeploymentHost(), model: "gpt-a" },
		]);
	});

	it("is estimated where the service itself is lost, with the payer that it had named", async () => {
		await set(deployment, "a Bedrock key", "provider and model");
		const call = { ...onDeploymentHost(), model: "gpt-a" };
		vendors.drainCalls();
		vendors.enqueue(call, "silence");
		const lost = deployment.run("local", toGraphName("nothing", 1));
		await expect.poll(() => vendors.host.requests.at(-1)?.isAnswered, { timeout: TIMEOUT_MS }).toBe(false);
		await deployment.close();
		expect(toOutcome(await lost).receipt).toMatchObject([{ ...call, estimated: true }]);
	});
});

describe("a deployment whose chat signs with the machine's role", () => {
	it("lists what answers, and runs graphs on it", async () => {
		const content = DEPLOYMENTS["Bedrock by the machine's role, and a vendor"]?.(vendors) ?? {};
		const deployment = await startDeployment(content);
		const { data } = await deployment.stemma.chatCompletions.models();
		const models = data.flatMap(({ id, stemma }) => (stemma.kind === "model" ? [[id, stemma.payer]] : []));
		expect(models).toEqual([
			["default", "deployment"],
			[NOVA, "deployment"],
			[NOVA_PRO, "deployment"],
		]);
		const { paid } = await runInAllEnvironments({ deployment, graph: toGraphName("a listed model", 1) });
		expect(paid.map(({ payer, model }) => [payer, model])).toEqual([
			["deployment", NOVA_PRO],
			["deployment", NOVA],
		]);
		await deployment.close();
	});
});
