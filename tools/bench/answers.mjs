// How good answers without a model are: quoted, wrongly refused, rightly refused, on sets of questions of which half have no answer. STEMMA_DATA names the folder of the larger sets. [--quick] [--half choose|report] [--sets a,b] [--curve] [--verbose] [--settings JSON]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureSet } from "./answers/measure-set.mjs";
import { readOptions } from "./answers/options.mjs";
import { readSets } from "./answers/read-sets.mjs";
import { listFailures, toCurveTable, toSharesTable } from "./answers/tables.mjs";
import { startService } from "./service/start-service.mjs";

const options = readOptions();
const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));

async function measureAll(service) {
	const sets = [];
	for (const set of readSets({ names: options.setNames })) {
		const outcomes = await measureSet(service, set, options);
		if (outcomes.length > 0) sets.push({ ...set, outcomes });
	}
	return sets;
}

try {
	const service = await startService(folder, options.settings);
	const sets = await measureAll(service);
	await service.stop();
	console.log(
		"Half of the documents of each set are loaded; `characters` is the median of what is quoted.\n",
	);
	console.log(`${toSharesTable(sets)}\n`);
	for (const set of sets) {
		if (options.curve) console.log(`${set.name}, by threshold:\n\n${toCurveTable(set)}\n`);
		if (options.verbose) console.log(`${set.name}, not as expected:\n\n${listFailures(set.outcomes)}\n`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
