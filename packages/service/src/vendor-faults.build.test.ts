import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UsageRow } from "@stemma/client";
import * as built from "@stemma/service";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApiError } from "./test-support/expect-error";
import {
	DOORS,
	type Door,
	type FaultOutcome,
	type FaultSite,
	knock,
	prepareSite,
} from "./test-support/fault-sites";
import {
	FAILS_AT_SCORING,
	type FaultyVendor,
	startFaultyVendor,
	toAbsentVendor,
} from "./test-support/faulty-vendors";
import { withShortMinutes } from "./test-support/short-minutes";
import { demand } from "./test-support/tenant";
import { openTestDeployment, type TestDeployment } from "./test-support/test-deployment";
import {
	ABSENCE,
	FAULTS,
	HUGE_FAULTS,
	MARKER,
	SLOW_FAULTS,
	type VendorFault,
	type VendorFormat,
} from "./test-support/vendor-faults";

const FORMATS = ["openai-compatible", "bedrock"] as const;
const PAYERS = ["deployment", "workspace"] as const;
const KEYS = { deployment: "sk-of-the-host-1f2e", workspace: "sk-of-the-workspace-9c02" };
type Payer = (typeof PAYERS)[number];

const ALL_FAULTS = { ...FAULTS, ...SLOW_FAULTS, ...HUGE_FAULTS, ...ABSENCE };
const toModel = (fault: string, door: Door, payer: Payer): string => `${fault}.${door}.${payer}`;

/** A fault, for one who pays, by one way. */
interface Case {
	readonly fault: string;
	readonly format: VendorFormat;
	readonly payer: Payer;
	readonly door: Door;
}

const lines: string[] = [];
const deployments: TestDeployment[] = [];
const vendors: FaultyVendor[] = [];
const sites = new Map<string, FaultSite>();
const outcomes = new Map<string, Promise<FaultOutcome>>();
const toKey = (...parts: readonly unknown[]): string => parts.join(" ");

async function addSites(format: VendorFormat, isThere: boolean): Promise<void> {
	const open = (payer: Payer) =>
		isThere ? startFaultyVendor(format, KEYS[payer]) : toAbsentVendor(format, KEYS[payer]);
	const own = { deployment: await open("deployment"), workspace: await open("workspace") };
	const host = own.deployment;
	vendors.push(...Object.values(own));
	const main = {
		provider: format,
		base_url: host.baseUrl,
		credential: { value: host.credential },
		default_model: "usual",
		allowed_models: Object.keys(ALL_FAULTS).flatMap((fault) =>
			DOORS.map((door) => toModel(fault, door, "deployment")),
		),
	};
	const logger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
	const deployment = await openTestDeployment(built, { providers: { main }, chat: "main" }, { logger });
	deployments.push(deployment);
	for (const payer of PAYERS) {
		const workspace = await deployment.addWorkspace(payer);
		sites.set(
			toKey(format, payer, isThere),
			await prepareSite(workspace, { payer, host, vendor: own[payer] }),
		);
	}
}

const siteOf = ({ format, payer, fault }: Case): FaultSite => {
	const site = sites.get(toKey(format, payer, !(fault in ABSENCE)));
	if (site === undefined) throw new Error("There is one for each.");
	return site;
};

/** All that can happen: some faults are of one format, or of streams, alone. */
const casesOf = (faults: Readonly<Record<string, VendorFault>>): readonly Case[] =>
	Object.entries(faults).flatMap(([fault, ways]) =>
		FORMATS.flatMap((format) =>
			PAYERS.flatMap((payer) =>
				DOORS.filter((door) =>
					isPossible(ways[format]?.[door === "chat" ? "whole" : "streamed"], fault, door),
				).map((door) => ({ fault, format, payer, door })),
			),
		),
	);

/** What is long is read once. */
const isPossible = (behaviour: object | undefined, fault: string, door: Door): boolean =>
	fault in ABSENCE ||
	(behaviour !== undefined && (!(fault in HUGE_FAULTS) || door === "chat" || door === "ask"));

/** As many at once as leave the process time for each. */
const AT_ONCE = 24;

async function play(faults: Readonly<Record<string, VendorFault>>, atOnce = AT_ONCE): Promise<void> {
	const waiting = [...casesOf(faults)];
	const work = async (): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const { fault, door, payer } = next;
			const outcome = knock(siteOf(next), door, toModel(fault, door, payer));
			outcomes.set(toKey(fault, next.format, payer, door), outcome);
			await outcome.catch(() => undefined);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
}

const usage = new Map<FaultSite, readonly UsageRow[]>();

/** What was written down of the calls to a model, which is soon after they are over. */
async function readUsage(site: FaultSite, model: string, stage: string): Promise<readonly UsageRow[]> {
	const find = () => (usage.get(site) ?? []).filter((row) => row.model === model && row.stage === stage);
	if (find().length === 0) {
		const { data } = await demand<{ readonly data: readonly UsageRow[] }>(site.send("GET", "/v1/usage"));
		usage.set(site, data);
	}
	return find();
}

beforeAll(async () => {
	for (const format of FORMATS) for (const isThere of [true, false]) await addSites(format, isThere);
	await play({ ...FAULTS, ...ABSENCE });
	await withShortMinutes(() => play(SLOW_FAULTS));
	await play(HUGE_FAULTS, 1);
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

		it.each(cases)("$fault: $door", async (one) => {
			const { fault, door } = one;
			const expected = ALL_FAULTS[fault] as VendorFault;
			const { names, attempts = 1 } = expected;
			const model = toModel(fault, door, payer);
			const site = siteOf(one);
			const outcome = await (outcomes.get(toKey(fault, format, payer, door)) ?? neverPlayed());
			const { answer, error, receipt } = outcome;

			expectStatus(outcome, one, expected);
			expect(error?.hint).toMatch(typeof names === "string" ? NAMES[payer][names] : names);
			expect(error?.hint).not.toMatch(payer === "workspace" ? /`credential`/ : /`api_key`/);
			expect(error?.hint).not.toMatch(/`apiKey`|`baseUrl`|`timeouts/);

			const stage = door.startsWith("ask") && fault in ABSENCE ? "score" : "answer";
			const row = { stage, payer, provider: format, model, attempts, ...toTokens(expected) };
			const judged = { stage: "score", payer, model, attempts: 1, input_tokens: expect.any(Number) };
			expect(receipt, answer.text).toMatchObject(
				door.startsWith("ask") && !(fault in ABSENCE) ? [judged, row] : [row],
			);
			const written = { payer, provider: format, calls: 1, estimated_calls: expected.isFree ? 0 : 1 };
			await expect.poll(() => readUsage(site, model, stage)).toMatchObject([written]);

			if (!(fault in ABSENCE)) expect(countAnswerCalls(site.vendor, one)).toBe(attempts);
			if (payer === "workspace") expect(site.host.countCalls(model)).toBe(0);
			expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(MARKER);
		});
	});
});

it.each(FORMATS)("asks for no answer where the judging of passages fails: %s", async (format) => {
	const site = sites.get(toKey(format, "workspace", true)) ?? neverPlayed();
	const model = "status-401.judged";
	const json = {
		question: `When does the office open, ${FAILS_AT_SCORING}?`,
		knowledge_base_ids: [site.knowledgeBase],
		model: { model },
	};
	const answer = await site.send("POST", "/v1/ask", { json });
	expect(answer.status, answer.text).toBe(502);
	const { code, details } = readApiError(answer);
	expect(code).toBe("invalid_credential");
	expect(details).toMatchObject({
		receipt: [{ stage: "score", payer: "workspace", attempts: 1, input_tokens: 0 }],
	});
	expect([site.vendor.countCalls(model), site.host.countCalls(model)]).toEqual([1, 0]);
});

/** An error with a status; where a stream or a run has begun, one at its end. */
function expectStatus(
	{ answer, error }: FaultOutcome,
	{ door }: Case,
	{ code, isLate, retryAfter }: VendorFault,
): void {
	expect(error, answer.text).toMatchObject({ code: expect.stringMatching(code) });
	const isOfStatus = door === "ask" || door === "chat" || (door === "chat-stream" && !isLate);
	expect(answer.status).toBe(isOfStatus ? (STATUSES[error?.code ?? ""] ?? 502) : 200);
	if (!isOfStatus) return;
	readApiError(answer);
	expect(answer.headers.get("retry-after")).toBe(retryAfter === undefined ? null : String(retryAfter));
}

/** What nobody has counted is an estimate, and never nothing. */
const toTokens = ({ isFree }: VendorFault): object =>
	isFree
		? { input_tokens: 0, output_tokens: 0 }
		: { estimated: true, input_tokens: expect.toSatisfy((count: number) => count > 0) };

/** All but the one that judged passages. */
const countAnswerCalls = (vendor: FaultyVendor, { fault, door, payer }: Case): number =>
	vendor.countCalls(toModel(fault, door, payer)) - (door.startsWith("ask") ? 1 : 0);

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
		const told = files.filter(({ parentPath, name }) =>
			readFileSync(join(parentPath, name)).includes(MARKER),
		);
		expect(told.map(({ name }) => name)).toEqual([]);
	}
});
