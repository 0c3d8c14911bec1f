import type { Cost, Costs } from "./costs.ts";
import type { Station, Step } from "./simulate.ts";

/** Step of a job at most: so often it goes from its instance to Postgres and back. */
const MAX_ROUND_TRIPS = 12;

const POSTGRES = "Postgres";
const NOTIFYING_COMMITS = "commits that notify";
export const toInstanceName = (index: number): string => `instance ${index + 1}`;

/** Machines of a simulation. */
export interface SimulatedMachines {
	readonly instances: number;
	readonly coresOfInstance: number;
	readonly postgresCores: number;
	/** Work that each instance has besides the jobs, in milliseconds of a processor a second. */
	readonly ownMsPerSecond: number;
}

/** The processors of instances and of Postgres, and the lock that commits have while they notify. */
export function createStations(machines: SimulatedMachines, costs: Costs): readonly Station[] {
	const { instances, coresOfInstance, postgresCores, ownMsPerSecond } = machines;
	const servers = Math.max(1, Math.round(postgresCores));
	return [
		...Array.from({ length: instances }, (_, index) => ({
			name: toInstanceName(index),
			servers: 1,
			speed: Math.max(0.001, coresOfInstance - ownMsPerSecond / 1_000),
		})),
		{ name: POSTGRES, servers, speed: postgresCores / servers },
		{ name: NOTIFYING_COMMITS, servers: 1, speed: costs.notifyingCommits / 1_000 },
	];
}

/** Steps of one thing that is done on an instance: its work and that of Postgres in turns, and its commits that notify. */
export function toSteps(cost: Cost, instance: string): readonly Step[] {
	const roundTrips = Math.min(MAX_ROUND_TRIPS, Math.max(1, Math.round(cost.statements)));
	const notifying = Math.min(roundTrips, Math.round(cost.notifyingWrites));
	return Array.from({ length: roundTrips }, (_, index) => index).flatMap((index) => {
		// Evenly spread, and the last one at the end.
		const notifies =
			Math.floor(((index + 1) * notifying) / roundTrips) > Math.floor((index * notifying) / roundTrips);
		return [
			{ station: instance, workMs: cost.cpuMs / roundTrips },
			{ station: POSTGRES, workMs: cost.postgresCpuMs / roundTrips },
			// One commit, of which its station makes so many a second.
			...(notifies ? [{ station: NOTIFYING_COMMITS, workMs: 1 }] : []),
		];
	});
}
