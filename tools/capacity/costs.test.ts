import { expect, it } from "vitest";
import { compare } from "./compare.ts";
import { KINDS, toCosts } from "./costs.ts";
import { type CountedWork, type Measured, type MeasuredDeployment, readMeasured } from "./measured.ts";

/** One second of so many things, each 10 ms on each instance and 5 ms on Postgres. */
const toWork = (count: number, cpuMs: readonly number[]): CountedWork => ({
	count,
	seconds: 1,
	cpuMs: cpuMs.map((each) => each * count),
	postgresCpuMs: 5 * count,
	statements: 8 * count,
	writes: 2 * count,
	notifications: count,
	notifyingWrites: count,
	walBytes: 1_000 * count,
});

function toDeployment(instances: number, events: readonly number[]): MeasuredDeployment {
	const each = (count: number): CountedWork & { p50: number; p95: number } => ({
		...toWork(
			count * instances,
			Array.from({ length: instances }, () => 10 / instances),
		),
		p50: 1,
		p95: 2,
	});
	return {
		instances,
		// 4 ms of each instance.
		idle: {
			...toWork(
				1,
				Array.from({ length: instances }, () => 4),
			),
			postgresCpuMs: 0,
			statements: 0,
		},
		runs: each(20),
		runsOfOneWorkspace: each(15),
		searches: each(40),
		questions: each(25),
		events: toWork(10, events),
	};
}

const MEASURED: Measured = {
	commit: "abc",
	machine: "two cores",
	cores: 2,
	coresOfInstance: 0.25,
	clientsOfInstance: 8,
	commits: { plain: 1_000, notifying: 100, notifyingAfter: 900 },
	passages: toWork(100, [1]),
	databaseBytesOfPassage: 3_000,
	streamBytes: 20_000,
	deployments: [toDeployment(1, [2.4]), toDeployment(2, [2.4, 1.4]), toDeployment(4, [2.4, 1.4, 0.5, 0.5])],
};

it("are of one thing each, without what instances do by themselves", () => {
	const costs = toCosts(MEASURED);
	expect(costs.kinds.runs.cpuMs).toBeCloseTo(10 - 4 / 20, 9);
	expect(costs.kinds.runs.statements).toBeCloseTo(8, 9);
	expect(costs.kinds.passages.postgresCpuMs).toBe(5);
	expect(costs.idle.cpuMs).toBe(4);
	expect(costs.runsOfOneWorkspace).toBe(60);
});

it("of an event are those of its instance, of one that watches, and of those that only hear of it", () => {
	const { kinds, eventElsewhere, notificationCpuMs } = toCosts(MEASURED);
	// Ten events in a second: 0.4 ms of each are the instance's own.
	expect(kinds.events.cpuMs).toBeCloseTo(2, 9);
	expect(eventElsewhere.cpuMs).toBeCloseTo(1, 9);
	expect(notificationCpuMs).toBeCloseTo(0.1, 9);
});

it("of the recorded measurement are numbers, by which the simulation of one instance goes as fast as it did", () => {
	const measured = readMeasured();
	const costs = toCosts(measured);
	for (const kind of KINDS)
		for (const value of Object.values(costs.kinds[kind])) expect(value).toBeGreaterThanOrEqual(0);
	for (const kind of KINDS) expect(costs.kinds[kind].cpuMs).toBeGreaterThan(0);
	const ofOne = compare(measured).filter(({ instances }) => instances === 1);
	if (measured.coresOfInstance !== null)
		for (const { measured: rate, simulated } of ofOne) expect(simulated / rate).toBeCloseTo(1, 0);
});
