import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UsageRow } from "@stemma/client";
import * as built from "@stemma/service";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApiError } from "./test-support/expect-error";
import {
	callRoute,
	createFaultFixture,
	type FaultFixture,
	type FaultResult,
	MODEL_ROUTES,
	type ModelRoute,
} from "./test-support/fault-fixture";
import {
	FAILS_AT_SCORING,
	type FaultyVendor,
	startFaultyVendor,
	toAbsentVendor,
} from "./test-support/faulty-vendors";
import { withShortenedMinutes } from "./test-support/shortened-minutes";
import { getBody } from "./test-support/tenant";
import { openTestDeployment, type TestDeployment } from "./test-support/test-deployment";
import {
	FAULTS,
	HUGE_FAULTS,
	MARKER,
	SLOW_FAULTS,
	UNREACHABLE,
	type VendorFault,
	type VendorFormat,
} from "./test-support/vendor-faults";

const FORMATS = ["openai-compatible", "bedrock"] as const;
const PAYERS = ["deployment", "workspace"] as const;
const KEYS = { deployment: "sk-of-the-host-1f2e", workspace: "sk-of-the-workspace-9c02" };
type Payer = (typeof PAYERS)[number];

const ALL_FAULTS = { ...FAULTS, ...SLOW_FAULTS, ...HUGE_FAULTS, ...UNREACHABLE };
const toModel = (fault: string, route: ModelRoute, payer: Payer): string => `${fault}.${route}.${payer}`;

/** A fault, for one who pays, by one way. */
interface Case {
	readonly fault: string;
	readonly format: VendorFormat;
	readonly payer: Payer;
	readonly route: ModelRoute;
}

const lines: string[] = [];
const deployments: TestDeployment[] = [];
const vendors: FaultyVendor[] = [];
const fixtures = new Map<string, FaultFixture>();
const outcomes = new Map<string, Promise<FaultResult>>();
const toKey = (...parts: readonly unknown[]): string => parts.join(" ");

async function addSites(format: VendorFormat, isThere: boolean): Promise<void> {
	const open = (payer: Payer) =>
		isThere ? startFaultyVendor(format, KEYS[payer]) : toAbsentVendor(format, KEYS[payer]);
	const own = { deployment: await open("deployment"), workspace: await open("workspace") };
	const deploymentVendor = own.deployment;
	vendors.push(...Object.values(own));
	const main = {
		provider: format,
		base_url: deploymentVendor.baseUrl,
		credential: { value: deploymentVendor.credential },
		default_model: "usual",
		allowed_models: Object.keys(ALL_FAULTS).flatMap((fault) =>
			MODEL_ROUTES.map((route) => toModel(fault, route, "deployment")),
		),
	};
	const logger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
	const deployment = await openTestDeployment(built, { providers: { main }, chat: "main" }, { logger });
	deployments.push(deployment);
	for (const payer of PAYERS) {
		const workspace = await deployment.addWorkspace(payer);
		fixtures.set(
			toKey(format, payer, isThere),
			await createFaultFixture(workspace, { payer, deploymentVendor, vendor: own[payer] }),
		);
	}
}

const getFixture = ({ format, payer, fault }: Case): FaultFixture => {
	const fixture = fixtures.get(toKey(format, payer, !(fault in UNREACHABLE)));
	if (fixture === undefined) throw new Error("There is one for each.");
	return fixture;
};

/** All that can happen: some faults are of one format, or of streams, alone. */
const casesOf = (faults: Readonly<Record<string, VendorFault>>): readonly Case[] =>
	Object.entries(faults).flatMap(([fault, ways]) =>
		FORMATS.flatMap((format) =>
			PAYERS.flatMap((payer) =>
				MODEL_ROUTES.filter((route) =>
					isPossible(ways[format]?.[route === "chat" ? "whole" : "streamed"], fault, route),
				).map((route) => ({ fault, format, payer, route })),
			),
		),
	);

/** What is long is read once. */
const isPossible = (behaviour: object | undefined, fault: string, route: ModelRoute): boolean =>
	fault in UNREACHABLE ||
	(behaviour !== undefined && (!(fault in HUGE_FAULTS) || route === "chat" || route === "ask"));

/** As many at once as leave the process time for each. */
const CONCURRENCY = 24;

async function runFaults(
	faults: Readonly<Record<string, VendorFault>>,
	concurrency = CONCURRENCY,
): Promise<void> {
	const waiting = [...casesOf(faults)];
	const work = async (): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const { fault, route, payer } = next;
			const outcome = callRoute(getFixture(next), route, toModel(fault, route, payer));
			outcomes.set(toKey(fault, next.format, payer, route), outcome);
			await outcome.catch(() => undefined);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, work));
}

const usage = new Map<FaultFixture, readonly UsageRow[]>();

/** What was written down of the calls to a model, which is soon after they are over. */
async function readUsage(fixture: FaultFixture, model: string, stage: string): Promise<readonly UsageRow[]> {
	const find = () => (usage.get(fixture) ?? []).filter((row) => row.model === model && row.stage === stage);
	if (find().length === 0) {
		const { data } = await getBody<{ readonly data: readonly UsageRow[] }>(fixture.send("GET", "/v1/usage"));
		usage.set(fixture, data);
	}
	return find();
}

beforeAll(async () => {
	for (const format of FORMATS) for (const isThere of [true, false]) await addSites(format, isThere);
	await runFaults({ ...FAULTS, ...UNREACHABLE });
	await withShortenedMinutes(() => runFaults(SLOW_FAULTS));
	await runFaults(HUGE_FAULTS, 1);
});
afterAll(async () => {
	await Promise.all(deployments.map((deployment) => deployment.close()));
	await Promise.all(vendors.map((vendor) => vendor.close()));
});

const STATUSES: Readonly<Record<string, number>> = { rate_limited: 429, timeout: 504 };
const NAMES = {
	deployment: { key: "`credential`", address: "`base_url`" },
	workspace: { key: "`api_key`", address: "`base_url`" },
};

describe.each(FORMATS)("%s", (format) => {
	describe.each(PAYERS)("on the key of the %s", (payer) => {
		const cases = casesOf(ALL_FAULTS).filter((one) => one.format === format && one.payer === payer);

		it.each(cases)("$fault: $route", async (one) => {
			const { fault, route } = one;
			const expected = ALL_FAULTS[fault] as VendorFault;
			const { hintNames, attempts = 1 } = expected;
			const model = toModel(fault, route, payer);
			const fixture = getFixture(one);
			const outcome = await (outcomes.get(toKey(fault, format, payer, route)) ?? neverPlayed());
			const { answer, error, receipt } = outcome;

			expectStatus(outcome, one, expected);
			expect(error?.hint).toMatch(typeof hintNames === "string" ? NAMES[payer][hintNames] : hintNames);
			expect(error?.hint).not.toMatch(payer === "workspace" ? /`credential`/ : /`api_key`/);
			expect(error?.hint).not.toMatch(/`apiKey`|`baseUrl`|`timeouts/);

			const stage = route.startsWith("ask") && fault in UNREACHABLE ? "score" : "answer";
			const row = { stage, payer, provider: format, model, attempts, ...toTokens(expected) };
			const scoreRow = { stage: "score", payer, model, attempts: 1, input_tokens: expect.any(Number) };
			expect(receipt, answer.text).toMatchObject(
				route.startsWith("ask") && !(fault in UNREACHABLE) ? [scoreRow, row] : [row],
			);
			const written = { payer, provider: format, calls: 1, estimated_calls: expected.isUnbilled ? 0 : 1 };
			await expect.poll(() => readUsage(fixture, model, stage)).toMatchObject([written]);

			if (!(fault in UNREACHABLE)) expect(countAnswerCalls(fixture.vendor, one)).toBe(attempts);
			if (payer === "workspace") expect(fixture.deploymentVendor.countCalls(model)).toBe(0);
			expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(MARKER);
		});
	});
});

it.each(FORMATS)("asks for no answer where the judging of passages fails: %s", async (format) => {
	const fixture = fixtures.get(toKey(format, "workspace", true)) ?? neverPlayed();
	const model = "status-401.judged";
	const json = {
		question: `When does the office open, ${FAILS_AT_SCORING}?`,
		knowledge_base_ids: [fixture.knowledgeBase],
		model: { model },
	};
	const answer = await fixture.send("POST", "/v1/ask", { json });
	expect(answer.status, answer.text).toBe(502);
	const { code, details } = readApiError(answer);
	expect(code).toBe("invalid_credential");
	expect(details).toMatchObject({
		receipt: [{ stage: "score", payer: "workspace", attempts: 1, input_tokens: 0 }],
	});
	expect([fixture.vendor.countCalls(model), fixture.deploymentVendor.countCalls(model)]).toEqual([1, 0]);
});

/** An error with a status; where a stream or a run has begun, one at its end. */
function expectStatus(
	{ answer, error }: FaultResult,
	{ route }: Case,
	{ code, isMidStream, retryAfter }: VendorFault,
): void {
	expect(error, answer.text).toMatchObject({ code: expect.stringMatching(code) });
	const isOfStatus = route === "ask" || route === "chat" || (route === "chat-stream" && !isMidStream);
	expect(answer.status).toBe(isOfStatus ? (STATUSES[error?.code ?? ""] ?? 502) : 200);
	if (!isOfStatus) return;
	readApiError(answer);
	expect(answer.headers.get("retry-after")).toBe(retryAfter === undefined ? null : String(retryAfter));
}

/** What nobody has counted is an estimate, and never nothing. */
const toTokens = ({ isUnbilled }: VendorFault): object =>
	isUnbilled
		? { input_tokens: 0, output_tokens: 0 }
		: { estimated: true, input_tokens: expect.toSatisfy((count: number) => count > 0) };

/** All but the one that judged passages. */
const countAnswerCalls = (vendor: FaultyVendor, { fault, route, payer }: Case): number =>
	vendor.countCalls(toModel(fault, route, payer)) - (route.startsWith("ask") ? 1 : 0);

const neverPlayed = (): never => {
	throw new Error("It was not played.");
};

it("repeats nothing of what a vendor said, neither in the log nor in what is stored", () => {
	expect(lines.length).toBeGreaterThan(100);
	expect(lines.filter((line) => line.includes(MARKER))).toEqual([]);
	for (const { folder } of deployments) {
		const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
			file.isFile(),
		);
		const leaks = files.filter(({ parentPath, name }) =>
			readFileSync(join(parentPath, name)).includes(MARKER),
		);
		expect(leaks.map(({ name }) => name)).toEqual([]);
	}
});
