import { createRandom } from "../durability/random.ts";
import { type Costs, toCosts } from "./costs.ts";
import type { Measured, MeasuredDeployment, RepeatedWork } from "./measured.ts";
import { type SimulationResult, simulate } from "./simulate.ts";
import { createStations, toInstanceName, toSteps } from "./stations.ts";

/** A measured rate beside that of the simulation. */
export interface Comparison {
	readonly kind: ComparedKind;
	readonly instances: number;
	readonly measured: number;
	readonly simulated: number;
}

export const COMPARED_KINDS = ["runs", "searches", "questions"] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

const SECONDS = 60;
const SEED = 1;

/**
 * Simulates what was measured: clients that ask for one thing after another, on instances with a share of a processor. The
 * costs are those of one instance, so that more of them test the model.
 */
export function compare(measured: Measured): readonly Comparison[] {
	const costs = toCosts(measured);
	return COMPARED_KINDS.flatMap((kind) =>
		measured.deployments.map((deployment) => ({
			kind,
			instances: deployment.instances,
			measured: toRate(deployment[kind]),
			simulated: simulateClients(kind, deployment, measured, costs),
		})),
	);
}

function simulateClients(
	kind: ComparedKind,
	{ instances }: MeasuredDeployment,
	{ cores, coresOfInstance, clientsOfInstance }: Measured,
	costs: Costs,
): number {
	const coresOfEach = coresOfInstance ?? cores / (instances + 1);
	const machines = {
		instances,
		coresOfInstance: coresOfEach,
		// The vendor's stand-in and the clients have some of it, too: how much was not measured.
		postgresCores: Math.max(0.1, cores - instances * coresOfEach),
		ownMsPerSecond: costs.idle.cpuMs,
	};
	let next = 0;
	const result = simulate({
		stations: createStations(machines, costs),
		arrivals: { type: "clients", clients: clientsOfInstance * instances },
		createJob: () => ({ kind, steps: toSteps(costs.kinds[kind], toInstanceName(next++ % instances)) }),
		seconds: SECONDS,
		random: createRandom(SEED),
	});
	return countEnded(result, kind) / SECONDS;
}

const countEnded = ({ kinds }: SimulationResult, kind: string): number => kinds.get(kind)?.times.length ?? 0;
const toRate = ({ count, seconds }: RepeatedWork): number => count / seconds;
