import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../durability/random.ts";
import { type Arrivals, type SimulationResult, simulate } from "./simulate.ts";
import { simulateLoad } from "./simulate-load.ts";
import { toSteps } from "./stations.ts";
import { anyLoad, COSTS, DEPLOYMENT } from "./test-costs.ts";

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);
const KIND = "searches";

/** Jobs of 10 ms at one station, then 5 ms at another, and how many have not ended is counted here. */
function simulatePair(arrivals: Arrivals, servers: number, seed: number, seconds = 20): SimulationResult {
	return simulate({
		stations: [
			{ name: "a", servers, speed: 1 },
			{ name: "b", servers: 1, speed: 1 },
		],
		arrivals,
		createJob: () => ({
			kind: KIND,
			steps: [
				{ station: "a", workMs: 10 },
				{ station: "b", workMs: 5 },
			],
		}),
		seconds,
		random: createRandom(seed),
	});
}

describe("a simulation", () => {
	it("loses no job and makes none: those that arrived have ended, or their clients wait for them", () => {
		const arbitrary = [fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 4 }), fc.nat()] as const;
		fc.assert(
			fc.property(...arbitrary, (clients, servers, seed) => {
				const { kinds } = simulatePair({ type: "clients", clients }, servers, seed);
				const { arrived = 0, times = [] } = kinds.get(KIND) ?? {};
				expect(arrived - times.length).toBe(clients);
			}),
		);
	});

	it("does work only in the time that its servers have, and all work of jobs that ended", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 4 }), (perSecond, servers) => {
				const { kinds, busy } = simulatePair({ type: "random", perSecond }, servers, 1);
				const ended = kinds.get(KIND)?.times.length ?? 0;
				for (const share of busy.values()) expect(share).toBeLessThanOrEqual(1 + 1e-9);
				expect((busy.get("a") ?? 0) * servers * 20_000).toBeGreaterThanOrEqual(ended * 10 - 1e-6);
				expect((busy.get("b") ?? 0) * 20_000).toBeGreaterThanOrEqual(ended * 5 - 1e-6);
			}),
		);
	});

	it("goes as fast as its narrowest station", () => {
		const { kinds } = simulatePair({ type: "clients", clients: 10 }, 1, 1);
		// 20 s / 10 ms; the last ones are at the second station.
		expect(kinds.get(KIND)?.times.length).toBeCloseTo(2_000, -1);
		const wide = simulatePair({ type: "clients", clients: 10 }, 4, 1).kinds;
		expect(wide.get(KIND)?.times.length).toBeCloseTo(4_000, -1);
	});

	it("waits as a queue of one server with random arrivals does (M/D/1)", () => {
		const { kinds } = simulate({
			stations: [{ name: "a", servers: 1, speed: 0.5 }],
			arrivals: { type: "random", perSecond: 30 },
			createJob: () => ({ kind: KIND, steps: [{ station: "a", workMs: 10 }] }),
			seconds: 2_000,
			random: createRandom(1),
		});
		const times = kinds.get(KIND)?.times ?? [];
		// 20 ms of service, 60 % busy: 20 + 0.6 × 20 / (2 × 0.4).
		expect(sum(times) / times.length).toBeGreaterThan(33);
		expect(sum(times) / times.length).toBeLessThan(37);
	});
});

describe("a simulation of a load", () => {
	it("is the same with the same seed, and starts as many as arrive", () => {
		fc.assert(
			fc.property(anyLoad, fc.nat(), (load, seed) => {
				const run = () => simulateLoad(load, DEPLOYMENT, COSTS, { seconds: 0.5, random: createRandom(seed) });
				const [one, other] = [run(), run()];
				expect(one).toEqual(other);
				for (const { arrived, times } of one.kinds.values())
					expect(arrived).toBeGreaterThanOrEqual(times.length);
			}),
			{ numRuns: 20 },
		);
	});
});

it("steps of a job have all of its work", () => {
	const cost = COSTS.kinds.runs;
	const steps = toSteps(cost, "instance 1");
	const workAt = (station: string) =>
		sum(steps.filter((step) => step.station === station).map(({ workMs }) => workMs));
	expect(workAt("instance 1")).toBeCloseTo(cost.cpuMs, 9);
	expect(workAt("Postgres")).toBeCloseTo(cost.postgresCpuMs, 9);
	expect(steps.filter(({ station }) => station === "commits that notify")).toHaveLength(cost.notifyingWrites);
});
