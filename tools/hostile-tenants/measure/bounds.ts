import type { AttackStats } from "../attacker/attacker-process.ts";
import { isExpected } from "../attacker/tally.ts";
import type { Comparison, TrialReport } from "./trial.ts";

/** Bounds that a trial has to keep. */
export interface Bounds {
	/** Times the idle p95. */
	readonly ratio: number;
	/** A p95 below this keeps the bound whatever the ratio says: idle times of a few milliseconds are mostly the machine's. */
	readonly floorMs: number;
	/** p99 of `/healthz`. */
	readonly healthMs: number;
	readonly memoryBytes: number;
	readonly diskBytes: number;
}

const GIBIBYTE = 2 ** 30;

/** Bounds of the full form, on a machine with nothing else to do. */
export const FULL_BOUNDS: Bounds = {
	ratio: 5,
	floorMs: 50,
	healthMs: 100,
	memoryBytes: GIBIBYTE,
	diskBytes: 4 * GIBIBYTE,
};

/**
 * Bounds of the short forms, which run on any machine beside other tests: their times say only that nobody is starved.
 * Most of a short form is the first burst, when no limit of a minute has been met.
 */
export const SHORT_BOUNDS: Bounds = { ...FULL_BOUNDS, ratio: 100, floorMs: 20_000, healthMs: 10_000 };

/** Outcomes that an attack did not expect. */
export const listUnexpected = ({ name, outcomes, expects, messages }: AttackStats): string[] =>
	Object.entries(outcomes)
		.filter(([outcome]) => !isExpected(outcome, expects))
		.map(([outcome, count]) => `${name}: ${count} × ${outcome} ${messages[outcome] ?? ""}`.trimEnd());

/** Everything that a trial broke, one sentence each; empty where it kept all bounds. */
export const listViolations = (report: TrialReport, bounds: Bounds): string[] => [
	...report.operations.flatMap((operation) => listDelays(operation, bounds)),
	...listFaults(report, bounds),
];

/** … but for times, which a busy machine changes. */
export function listFaults(report: TrialReport, bounds: Bounds): string[] {
	const { crash, peakBytes, disk, stop, attacks } = report;
	return [
		...(crash === undefined ? [] : [`The process ended under attack: ${crash}.`]),
		...report.operations.flatMap(listFailures),
		...(peakBytes !== undefined && peakBytes > bounds.memoryBytes
			? [`Its memory reached ${peakBytes} bytes.`]
			: []),
		...(disk.peak > bounds.diskBytes ? [`Its data reached ${disk.peak} bytes.`] : []),
		...(stop.ending === "code 0" || crash !== undefined
			? []
			: [`SIGTERM: ${stop.ending} after ${stop.ms} ms.`]),
		...attacks.attacks.flatMap(listUnexpected),
		...attacks.failures,
	];
}

/** Attacks of which nothing was answered: they prove nothing. */
export const listIdle = ({ attacks }: TrialReport): string[] =>
	attacks.attacks.filter(({ count }) => count === 0).map(({ name }) => name);

function listFailures({ name, idle, attacked, failures }: Comparison): string[] {
	const failed = idle.failed + attacked.failed;
	return failed === 0 ? [] : [`${name}: ${failed} failed: ${failures.slice(0, 3).join("; ")}`];
}

function listDelays({ name, idle, attacked }: Comparison, bounds: Bounds): string[] {
	const [value, max] =
		name === "healthz"
			? (["p99", bounds.healthMs] as const)
			: (["p95", Math.round(Math.max(bounds.floorMs, bounds.ratio * idle.p95))] as const);
	if (attacked[value] <= max) return [];
	return [`${name}: ${value} is ${attacked[value]} ms, above ${max} (idle ${idle[value]}).`];
}

/** Share of the machine that others may take before times say nothing. */
const MAX_OTHERS = 0.25;
/** p99 of the control process, which does nothing, in milliseconds. */
const MAX_CONTROL_MS = 25;

/** Why the times of this trial say little about what was attacked; undefined where they do. */
export function findMachineNoise({ others, control }: TrialReport): string | undefined {
	if (Math.max(others.idle, others.attacked) > MAX_OTHERS)
		return `other processes took ${Math.round(others.idle * 100)} % of this machine at first and ${Math.round(others.attacked * 100)} % later`;
	if (control.idle.p99 > MAX_CONTROL_MS)
		return `a server that does nothing took ${control.idle.p99} ms at p99 before the attacks began`;
	return undefined;
}
