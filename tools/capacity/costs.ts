import type { CountedWork, Measured, MeasuredDeployment } from "./measured.ts";

/** Work for one thing that is done. */
export interface Cost {
	/** Processor time of the instance, in milliseconds. */
	readonly cpuMs: number;
	readonly postgresCpuMs: number;
	readonly statements: number;
	/** Transactions that write. */
	readonly writes: number;
	readonly notifications: number;
	/** Transactions that notify within. */
	readonly notifyingWrites: number;
	readonly walBytes: number;
}

/** Kinds of work that clients ask for. */
export const KINDS = ["passages", "searches", "questions", "runs", "events"] as const;
export type Kind = (typeof KINDS)[number];

/** Work for each thing that a deployment does, as it was measured. */
export interface Costs {
	/** An `events` is one event of a run that is stored by itself, and seen by a watcher on the instance of the run. */
	readonly kinds: Readonly<Record<Kind, Cost>>;
	/** An event that a watcher on another instance reads. */
	readonly eventElsewhere: Cost;
	/** A notification that an instance gets and that is of nothing it has. */
	readonly notificationCpuMs: number;
	/** An instance by itself, in a second. */
	readonly idle: Cost;
	readonly streamBytes: number;
	/** Passages of a knowledge base, with their indexes. */
	readonly databaseBytesOfPassage: number;
	/** Commits a second of the disk: 32 connections did nothing else. */
	readonly commits: number;
	/** Commits a second that notify: Postgres makes them one after another. */
	readonly notifyingCommits: number;
	/** Runs a second of one workspace, whose writers take turns; more were not tried. */
	readonly runsOfOneWorkspace: number;
}

/** Works the costs out of a measurement: those of one instance, and of events those that more instances add. */
export function toCosts(measured: Measured): Costs {
	const [one, two, ...more] = measured.deployments;
	if (one === undefined || two === undefined)
		throw new Error("One and two instances must have been measured.");
	// The last ones: by then what came in at the start is indexed whole.
	const last = more.at(-1) ?? two;
	const idle = toCost({ ...last.idle, count: last.idle.seconds * last.instances });
	const event = toCostAbove(one.events, idle, 1);
	const watched = toCostAbove(two.events, idle, two.instances);
	return {
		kinds: {
			passages: toCost(measured.passages),
			searches: toCostAbove(one.searches, idle, 1),
			questions: toCostAbove(one.questions, idle, 1),
			runs: toCostAbove(one.runs, idle, 1),
			events: event,
		},
		eventElsewhere: combine(watched, event, (all, own) => Math.max(0, all - own)),
		notificationCpuMs:
			more.length === 0 ? 0 : Math.max(0, ...more.map((each) => toNotificationCpuMs(each, idle))),
		idle,
		streamBytes: measured.streamBytes,
		databaseBytesOfPassage: measured.databaseBytesOfPassage,
		commits: measured.commits.plain,
		notifyingCommits: measured.commits.notifying,
		runsOfOneWorkspace: Math.max(
			...measured.deployments.map(({ runsOfOneWorkspace: { count, seconds } }) => count / seconds),
		),
	};
}

/** Applies a function to each part of two costs. */
export const combine = (a: Cost, b: Cost, combined: (a: number, b: number) => number): Cost => ({
	cpuMs: combined(a.cpuMs, b.cpuMs),
	postgresCpuMs: combined(a.postgresCpuMs, b.postgresCpuMs),
	statements: combined(a.statements, b.statements),
	writes: combined(a.writes, b.writes),
	notifications: combined(a.notifications, b.notifications),
	notifyingWrites: combined(a.notifyingWrites, b.notifyingWrites),
	walBytes: combined(a.walBytes, b.walBytes),
});

/** Work for so many of what costs so much. */
export const multiplyCost = (cost: Cost, count: number): Cost =>
	combine(cost, cost, (value) => value * count);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);

const toCost = ({ count, ...work }: CountedWork): Cost => ({
	cpuMs: sum(work.cpuMs) / count,
	postgresCpuMs: work.postgresCpuMs / count,
	statements: work.statements / count,
	writes: work.writes / count,
	notifications: work.notifications / count,
	notifyingWrites: work.notifyingWrites / count,
	walBytes: work.walBytes / count,
});

/** Leaves out what the instances would have done anyway. */
function toCostAbove(work: CountedWork, idle: Cost, instances: number): Cost {
	const idleEach = (instances * work.seconds) / work.count;
	return combine(toCost(work), idle, (all, own) => Math.max(0, all - own * idleEach));
}

/** Processor time of instances that had neither a run nor a watcher, for each event. */
function toNotificationCpuMs({ events }: MeasuredDeployment, idle: Cost): number {
	const uninvolved = events.cpuMs.slice(2);
	const idleMs = idle.cpuMs * events.seconds * uninvolved.length;
	return Math.max(0, sum(uninvolved) - idleMs) / uninvolved.length / events.notifications;
}
