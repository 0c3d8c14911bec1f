import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLargest } from "./largest.ts";
import { findCapacity, findFirstLimit, isWithin, listLimits } from "./limits.ts";
import { type Load, multiply } from "./load.ts";
import { anyLoad, COSTS, DEPLOYMENT } from "./test-costs.ts";

const NOTHING: Load = {
	workspaces: 10,
	busiestShare: 0.1,
	documentsPerDay: 0,
	passagesPerDocument: 20,
	searchesPerSecond: 0,
	questionsPerSecond: 0,
	runsPerSecond: 0,
	eventsPerRun: 0,
	secondsPerRun: 10,
	watchersElsewhere: 0,
};
const anyInstances = fc.integer({ min: 1, max: 20 });
const ON_INSTANCES = ["processors of the instances", "memory of the instances for streams"];
const ROUNDING = 1e-9;

describe("the capacity of a deployment", () => {
	it("grows with each instance until something else than instances is the limit, and is not less then but for their own work", () => {
		fc.assert(
			fc.property(anyLoad, anyInstances, (load, instances) => {
				const at = (count: number) => findCapacity(load, { ...DEPLOYMENT, instances: count }, COSTS);
				// One instance has no watchers elsewhere: with the second one, more is asked for.
				fc.pre(instances > 1);
				const [now, next] = [at(instances), at(instances + 1)];
				if (ON_INSTANCES.includes(next.limit.name)) expect(next.factor).toBeGreaterThan(now.factor);
				const ofIdle = COSTS.idle.postgresCpuMs / (DEPLOYMENT.postgresCores * 1_000);
				expect(next.factor).toBeGreaterThanOrEqual(now.factor * (1 - 2 * ofIdle) - ROUNDING);
			}),
		);
	});

	it("is just what fits: a little more is too much", () => {
		fc.assert(
			fc.property(anyLoad, anyInstances, (load, instances) => {
				const deployment = { ...DEPLOYMENT, instances };
				const { factor, limit } = findCapacity(load, deployment, COSTS);
				expect(isWithin(listLimits(multiply(load, factor * 0.999), deployment, COSTS))).toBe(true);
				const beyond = listLimits(multiply(load, factor * 1.001), deployment, COSTS);
				expect([isWithin(beyond), findFirstLimit(beyond).name]).toEqual([false, limit.name]);
			}),
		);
	});

	it("is that of the processors of the instances for searches", () => {
		const { factor, limit } = findCapacity({ ...NOTHING, searchesPerSecond: 1 }, DEPLOYMENT, COSTS);
		// 2 × (1,000 ms − 5 ms) / 5 ms
		expect([factor, limit.name]).toEqual([expect.closeTo(398, 6), "processors of the instances"]);
	});

	it("is that of Postgres where there are many instances", () => {
		const deployment = { ...DEPLOYMENT, instances: 10 };
		const { factor, limit } = findCapacity({ ...NOTHING, searchesPerSecond: 1 }, deployment, COSTS);
		// (4,000 ms − 10 × 2 ms) / 3 ms
		expect([factor, limit.name]).toEqual([expect.closeTo(3_980 / 3, 6), "processors of Postgres"]);
	});

	it("is nothing where the connections of the instances are more than the server takes", () => {
		const { factor, limit } = findCapacity(
			{ ...NOTHING, searchesPerSecond: 1 },
			{ ...DEPLOYMENT, maxConnections: 44 },
			COSTS,
		);
		expect([factor, limit.name]).toEqual([0, "connections"]);
	});
});

it("the largest deployment has as many instances as Postgres has work for", () => {
	const { instances, factor, limit } = findLargest({ ...NOTHING, searchesPerSecond: 1 }, DEPLOYMENT, COSTS);
	expect([instances, limit.name]).toEqual([7, "processors of Postgres"]);
	expect(factor).toBeCloseTo((4_000 - 7 * 2) / 3, 6);
});
