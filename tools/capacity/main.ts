// node tools/capacity/main.ts: which limit a deployment of several instances meets first, from what was measured; --help lists its options.
import { createRandom } from "../durability/random.ts";
import { compare } from "./compare.ts";
import { toCosts } from "./costs.ts";
import { readMeasured } from "./measured.ts";
import { formatHelp, type Options, parseOptions } from "./options.ts";
import { simulateLoad } from "./simulate-load.ts";
import {
	formatCapacities,
	formatComparison,
	formatCosts,
	formatLargest,
	formatLimits,
	formatSimulation,
} from "./tables.ts";

function format({ load, deployment, simulatedSeconds, seed, ...options }: Options): string {
	if (options.help) return formatHelp();
	const measured = readMeasured();
	if (options.compare) return formatComparison(compare(measured));
	const costs = toCosts(measured);
	const parts = [
		`Measured at ${measured.commit} on ${measured.machine}.`,
		formatCosts(costs),
		formatLimits(load, deployment, costs),
		formatCapacities(load, deployment, costs),
		formatLargest(load, deployment, costs),
	];
	if (simulatedSeconds > 0) {
		const random = createRandom(seed);
		const result = simulateLoad(load, deployment, costs, { seconds: simulatedSeconds, random });
		parts.push(formatSimulation(result, simulatedSeconds));
	}
	return parts.join("\n\n");
}

try {
	console.log(format(parseOptions(process.argv.slice(2))));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
