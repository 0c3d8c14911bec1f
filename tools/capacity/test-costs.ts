import fc from "fast-check";
import type { Cost, Costs } from "./costs.ts";
import type { Deployment, Load } from "./load.ts";

const toCost = (cpuMs: number, postgresCpuMs: number, rest: Partial<Cost> = {}): Cost => ({
	cpuMs,
	postgresCpuMs,
	statements: 4,
	writes: 0,
	notifications: 0,
	notifyingWrites: 0,
	walBytes: 0,
	...rest,
});

/** Costs in round numbers. */
export const COSTS: Costs = {
	kinds: {
		passages: toCost(0.5, 0.2, { writes: 0.1, walBytes: 6_000 }),
		searches: toCost(5, 3),
		questions: toCost(8, 3, { writes: 1, walBytes: 2_000 }),
		runs: toCost(10, 5, { writes: 4, notifications: 2, notifyingWrites: 1, walBytes: 12_000 }),
		events: toCost(2, 1, { writes: 1, notifications: 1, walBytes: 1_000 }),
	},
	eventElsewhere: toCost(1, 0.5),
	notificationCpuMs: 0.05,
	idle: toCost(5, 2),
	streamBytes: 20_000,
	databaseBytesOfPassage: 3_000,
	commits: 2_000,
	notifyingCommits: 250,
	runsOfOneWorkspace: 100,
};

export const DEPLOYMENT: Deployment = {
	instances: 2,
	coresOfInstance: 1,
	streamMemory: 512 * 1024 ** 2,
	postgresCores: 4,
	maxConnections: 1_000,
	poolSize: 20,
	walBytesPerSecond: 50 * 1024 ** 2,
};

/** Loads of which each has something to do. */
export const anyLoad: fc.Arbitrary<Load> = fc.record({
	workspaces: fc.integer({ min: 1, max: 1_000 }),
	busiestShare: fc.double({ min: 0.01, max: 1, noNaN: true }),
	documentsPerDay: fc.integer({ min: 0, max: 100_000 }),
	passagesPerDocument: fc.integer({ min: 1, max: 100 }),
	searchesPerSecond: fc.integer({ min: 0, max: 50 }),
	questionsPerSecond: fc.integer({ min: 1, max: 50 }),
	runsPerSecond: fc.integer({ min: 0, max: 20 }),
	eventsPerRun: fc.integer({ min: 0, max: 200 }),
	secondsPerRun: fc.integer({ min: 1, max: 60 }),
	watchersElsewhere: fc.double({ min: 0, max: 2, noNaN: true }),
});
