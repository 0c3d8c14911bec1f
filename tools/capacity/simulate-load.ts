import type { Random } from "../durability/random.ts";
import { type Cost, type Costs, multiplyCost } from "./costs.ts";
import { toOwnMsPerSecond } from "./limits.ts";
import { type Deployment, type Load, toRates } from "./load.ts";
import { type Job, type SimulationResult, type Step, simulate } from "./simulate.ts";
import { createStations, toInstanceName, toSteps } from "./stations.ts";

interface Source {
	readonly kind: string;
	readonly perSecond: number;
	readonly toSteps: (random: Random) => readonly Step[];
}

/** Simulates a mixed load that arrives at random times, each request on an instance at random. */
export function simulateLoad(
	load: Load,
	deployment: Deployment,
	costs: Costs,
	{ seconds, random }: { readonly seconds: number; readonly random: Random },
): SimulationResult {
	const sources = createSources(load, deployment, costs).filter(({ perSecond }) => perSecond > 0);
	const perSecond = sources.reduce((total, source) => total + source.perSecond, 0);
	function createJob(chance: Random): Job {
		let rest = chance.next() * perSecond;
		const source = sources.find((each) => {
			rest -= each.perSecond;
			return rest < 0;
		});
		return { kind: source?.kind ?? "", steps: source?.toSteps(chance) ?? [] };
	}
	const machines = { ...deployment, ownMsPerSecond: toOwnMsPerSecond(load, deployment, costs) };
	return simulate({
		stations: createStations(machines, costs),
		arrivals: { type: "random", perSecond },
		createJob,
		seconds,
		random,
	});
}

function createSources(load: Load, { instances }: Deployment, costs: Costs): readonly Source[] {
	const { kinds, eventElsewhere } = costs;
	const rates = toRates(load);
	const pick = (random: Random): string => toInstanceName(random.between(0, instances - 1));
	const on = (cost: Cost) => (random: Random) => toSteps(cost, pick(random));
	const document = multiplyCost(kinds.passages, load.passagesPerDocument);
	const elsewhere = rates.events * (instances > 1 ? load.watchersElsewhere : 0);
	return [
		{ kind: "documents", perSecond: rates.passages / load.passagesPerDocument, toSteps: on(document) },
		{ kind: "searches", perSecond: rates.searches, toSteps: on(kinds.searches) },
		{ kind: "questions", perSecond: rates.questions, toSteps: on(kinds.questions) },
		{ kind: "starts and ends of runs", perSecond: rates.runs, toSteps: on(kinds.runs) },
		{ kind: "events → watcher", perSecond: rates.events, toSteps: on(kinds.events) },
		{ kind: "reads on another instance", perSecond: elsewhere, toSteps: on(eventElsewhere) },
	];
}
