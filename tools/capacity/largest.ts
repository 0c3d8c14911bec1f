import type { Costs } from "./costs.ts";
import { findCapacity, type Limit } from "./limits.ts";
import type { Deployment, Load } from "./load.ts";

/** Largest multiple of a load that one Postgres serves, with as many instances as that takes. */
export interface Largest {
	readonly instances: number;
	readonly factor: number;
	readonly limit: Limit;
}

const MAX_INSTANCES = 1_000;
/** Where one more instance adds less than this share, it is not worth its machine. */
const WORTH = 0.001;

/** Adds instances, and the connections for them, until they do not help. */
export function findLargest(load: Load, deployment: Deployment, costs: Costs): Largest {
	const at = (instances: number): Largest => {
		const maxConnections = Math.max(deployment.maxConnections, (instances + 1) * (deployment.poolSize + 1));
		return { instances, ...findCapacity(load, { ...deployment, instances, maxConnections }, costs) };
	};
	let best = at(1);
	for (let instances = 2; instances <= MAX_INSTANCES; instances++) {
		const next = at(instances);
		if (next.factor <= best.factor * (1 + WORTH)) break;
		best = next;
	}
	return best;
}
