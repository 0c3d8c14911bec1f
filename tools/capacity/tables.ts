import { toTable } from "../bench/engine/table.mjs";
import type { Comparison } from "./compare.ts";
import { type Cost, type Costs, KINDS, type Kind } from "./costs.ts";
import { findLargest } from "./largest.ts";
import { findCapacity, findFirstLimit, listLimits, toShare } from "./limits.ts";
import { type Deployment, type Load, multiply } from "./load.ts";
import type { SimulationResult } from "./simulate.ts";

const number = (value: number): string =>
	value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });
const percent = (share: number): string => `${number(share * 100)} %`;

/** Limits of a deployment, and what a load uses of each. */
export function formatLimits(load: Load, deployment: Deployment, costs: Costs): string {
	const limits = listLimits(load, deployment, costs);
	const first = findFirstLimit(limits);
	const { factor, limit } = findCapacity(load, deployment, costs);
	const rows = limits.map((each) => [
		each.name,
		`${number(each.used)} ${each.unit}`.trim(),
		`${number(each.available)} ${each.unit}`.trim(),
		percent(toShare(each)),
	]);
	const room =
		toShare(first) > 1
			? `This load is too much: ${first.name}.`
			: `This mix fits ${number(factor)} times; then comes: ${limit.name}.`;
	return `${toTable([`${deployment.instances} instances`, "used", "available", ""], rows)}\n\n${room} ${formatGrowth(load, costs)}`;
}

/** Partitions of each table of workspaces. */
const PARTITIONS = 32;
const BYTES_OF_MEBIBYTE = 1024 ** 2;

function formatGrowth({ workspaces, documentsPerDay, passagesPerDocument }: Load, costs: Costs): string {
	const bytes = documentsPerDay * passagesPerDocument * costs.databaseBytesOfPassage;
	return `New documents take ${number(bytes / BYTES_OF_MEBIBYTE)} MiB a day; a partition has ${number(workspaces / PARTITIONS)} workspaces.`;
}

const NO_LOAD: Partial<Load> = {
	documentsPerDay: 0,
	searchesPerSecond: 0,
	questionsPerSecond: 0,
	runsPerSecond: 0,
};

/** A load of one kind alone, of one in a second. */
const ALONE: readonly (readonly [string, Partial<Load>])[] = [
	["passages a second", { documentsPerDay: 86_400, passagesPerDocument: 1 }],
	["searches a second", { searchesPerSecond: 1 }],
	["questions a second", { questionsPerSecond: 1 }],
	["runs a second, with their events", { runsPerSecond: 1 }],
];

/** What a deployment does at most if it does nothing else. */
export function formatCapacities(load: Load, deployment: Deployment, costs: Costs): string {
	const rows = ALONE.map(([name, only]) => {
		const { factor, limit } = findCapacity({ ...load, ...NO_LOAD, ...only }, deployment, costs);
		return [name, number(factor), limit.name];
	});
	const streams = Math.floor(deployment.streamMemory / costs.streamBytes);
	return toTable(
		["at most, of one kind alone", "", "limit"],
		[...rows, ["open streams in which nothing happens", number(streams * deployment.instances), "memory"]],
	);
}

/** Work for one of each kind. */
export function formatCosts(costs: Costs): string {
	const row = (name: string, cost: Cost): string[] => [
		name,
		`${number(cost.cpuMs)} ms`,
		`${number(cost.postgresCpuMs)} ms`,
		number(cost.statements),
		number(cost.writes),
		number(cost.notifyingWrites),
		number(cost.notifications),
		number(cost.walBytes),
	];
	const names: Readonly<Record<Kind, string>> = {
		passages: "passage",
		searches: "search",
		questions: "question",
		runs: "run of ten chunks at once",
		events: "event stored by itself",
	};
	return toTable(
		[
			"work of each",
			"instance",
			"Postgres",
			"statements",
			"writes",
			"… that notify",
			"notifications",
			"bytes of WAL",
		],
		[
			...KINDS.map((kind) => row(names[kind], costs.kinds[kind])),
			row("event read on another instance", costs.eventElsewhere),
			row("an instance by itself, in a second", costs.idle),
		],
	);
}

/** Processors of Postgres to look at. */
const POSTGRES_CORES = [2, 4, 8, 16, 32, 64];

/** Largest load of a mix on one Postgres of several sizes, and the machines for it. */
export function formatLargest(load: Load, deployment: Deployment, costs: Costs): string {
	const rows = POSTGRES_CORES.map((postgresCores) => {
		const { instances, factor, limit } = findLargest(load, { ...deployment, postgresCores }, costs);
		const largest = multiply(load, factor);
		return [
			String(postgresCores),
			String(instances),
			number(largest.questionsPerSecond),
			number(largest.runsPerSecond),
			number(largest.documentsPerDay),
			limit.name,
		];
	});
	return toTable(
		["processors of Postgres", "instances", "questions/s", "runs/s", "documents/day", "limit"],
		rows,
	);
}

/** @param result - of a simulation of so many seconds. */
export function formatSimulation({ kinds, busy }: SimulationResult, seconds: number): string {
	const rows = [...kinds].map(([kind, { arrived, times }]) => [
		kind,
		number(arrived / seconds),
		number(times.length / seconds),
		times.length === 0 ? "" : `${number(quantile(times, 0.5))} ms; ${number(quantile(times, 0.95))} ms`,
	]);
	const shares = [...busy].map(([name, share]) => `${name} ${percent(share)}`);
	return `${toTable(["simulated", "asked/s", "done/s", "p50; p95, without models"], rows)}\n\nBusy: ${shares.join(", ")}.`;
}

export function formatComparison(comparisons: readonly Comparison[]): string {
	return toTable(
		["", "instances", "measured/s", "simulated/s", "off by"],
		comparisons.map(({ kind, instances, measured, simulated }) => [
			kind,
			String(instances),
			number(measured),
			number(simulated),
			percent(simulated / measured - 1),
		]),
	);
}

function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
