import { type Cost, type Costs, combine, KINDS, multiplyCost } from "./costs.ts";
import { type Deployment, type Load, multiply, toRates } from "./load.ts";

/** One limit of a deployment, in units of its own. */
export interface Limit {
	readonly name: LimitName;
	readonly used: number;
	readonly available: number;
	readonly unit: string;
}

export type LimitName =
	| "processors of the instances"
	| "memory of the instances for streams"
	| "processors of Postgres"
	| "commits"
	| "commits that notify"
	| "turns of the busiest workspace"
	| "WAL"
	| "connections";

/** Connections that Postgres keeps for superusers. */
const RESERVED_CONNECTIONS = 3;
/** Each instance has one besides its pool. */
const CONNECTIONS_BESIDE_POOL = 1;

/** Lists all limits, with what a load uses of each. */
export function listLimits(load: Load, deployment: Deployment, costs: Costs): readonly Limit[] {
	const work = toWork(load, deployment, costs);
	const { instances } = deployment;
	const rates = toRates(load);
	const streams = load.runsPerSecond * load.secondsPerRun * (1 + toElsewhere(load, deployment));
	return [
		toLimit(
			"processors of the instances",
			"ms/s",
			work.cpuMs,
			instances * deployment.coresOfInstance * 1_000,
		),
		toLimit(
			"memory of the instances for streams",
			"MiB",
			toMebibytes(streams * costs.streamBytes),
			toMebibytes(instances * deployment.streamMemory),
		),
		toLimit("processors of Postgres", "ms/s", work.postgresCpuMs, deployment.postgresCores * 1_000),
		toLimit("commits", "/s", work.writes, costs.commits),
		toLimit("commits that notify", "/s", work.notifyingWrites, costs.notifyingCommits),
		toLimit(
			"turns of the busiest workspace",
			"runs/s",
			rates.runs * load.busiestShare,
			costs.runsOfOneWorkspace,
		),
		toLimit("WAL", "MiB/s", toMebibytes(work.walBytes), toMebibytes(deployment.walBytesPerSecond)),
		toLimit(
			"connections",
			"",
			instances * (deployment.poolSize + CONNECTIONS_BESIDE_POOL),
			deployment.maxConnections - RESERVED_CONNECTIONS,
		),
	];
}

/** The limit that a load is nearest to, or furthest beyond. */
export function findFirstLimit(limits: readonly Limit[]): Limit {
	const [first] = [...limits].sort((a, b) => toShare(b) - toShare(a));
	if (first === undefined) throw new Error("There is no limit.");
	return first;
}

export const toShare = ({ used, available }: Limit): number => used / available;

/** Returns whether a deployment has room for a load. */
export const isWithin = (limits: readonly Limit[]): boolean => limits.every((limit) => toShare(limit) <= 1);

/**
 * Largest multiple of a load that a deployment serves, and the limit that ends it. 0 where its connections do not suffice
 * or its instances are busy with themselves.
 */
export function findCapacity(
	load: Load,
	deployment: Deployment,
	costs: Costs,
): { readonly factor: number; readonly limit: Limit } {
	const none = listLimits(multiply(load, 0), deployment, costs);
	if (!isWithin(none)) return { factor: 0, limit: findFirstLimit(none) };
	const once = listLimits(load, deployment, costs);
	// All of them are straight lines.
	const room = once.flatMap((limit, index) => {
		const growth = limit.used - (none[index]?.used ?? 0);
		if (growth <= 0) return [];
		return { limit, factor: (limit.available - (none[index]?.used ?? 0)) / growth };
	});
	const [first] = room.sort((a, b) => a.factor - b.factor);
	if (first === undefined) throw new Error("The load is none.");
	return first;
}

/** Work of a second. */
export function toWork(load: Load, deployment: Deployment, costs: Costs): Cost {
	const rates = toRates(load);
	const asked = KINDS.map((kind) => multiplyCost(costs.kinds[kind], rates[kind]));
	const elsewhere = multiplyCost(costs.eventElsewhere, rates.events * toElsewhere(load, deployment));
	const idle = multiplyCost(costs.idle, deployment.instances);
	const heard = toHeardMsPerSecond(load, deployment, costs) * deployment.instances;
	return [...asked, elsewhere, { ...idle, cpuMs: idle.cpuMs + heard }].reduce((all, each) =>
		combine(all, each, (a, b) => a + b),
	);
}

/** Work of each instance besides what clients ask of it, in milliseconds of a processor a second. */
export const toOwnMsPerSecond = (load: Load, deployment: Deployment, costs: Costs): number =>
	costs.idle.cpuMs + toHeardMsPerSecond(load, deployment, costs);

/** Each instance gets the notifications of all others. */
function toHeardMsPerSecond(load: Load, { instances }: Deployment, costs: Costs): number {
	const rates = toRates(load);
	const notifications = KINDS.reduce(
		(total, kind) => total + costs.kinds[kind].notifications * rates[kind],
		0,
	);
	return (notifications * costs.notificationCpuMs * (instances - 1)) / instances;
}

const toElsewhere = (load: Load, { instances }: Deployment): number =>
	instances > 1 ? load.watchersElsewhere : 0;

const toMebibytes = (bytes: number): number => bytes / 1024 ** 2;

const toLimit = (name: LimitName, unit: string, used: number, available: number): Limit => ({
	name,
	used,
	available,
	unit,
});
