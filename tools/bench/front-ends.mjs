// Streams of front ends: what an event of a run takes in each protocol, from the JSON of the event log. [--quick]
import { loadavg } from "node:os";
import { measureFrontEnds } from "./client/front-ends.mjs";
import { toTable } from "./engine/table.mjs";
import { formatNumber } from "./routing/format-number.mjs";
import { createVerdicts } from "./routing/verdicts.mjs";

const isQuick = process.argv.includes("--quick");
const MAX_MICROSECONDS = 2;

const results = await measureFrontEnds({ pieces: 2_000, rounds: isQuick ? 20 : 200 });
const rows = results.map(({ protocol, microseconds }) => [protocol, formatNumber(microseconds)]);
const load = loadavg().map((value) => value.toFixed(1));
console.log(`Node ${process.versions.node}, load of the machine ${load.join(" ")}\n`);
console.log(`${toTable(["an event of a run", "µs of processor time"], rows)}\n`);
const verdicts = createVerdicts();
for (const { protocol, microseconds } of results)
	verdicts.atMost(`An event for ${protocol}`, microseconds, " µs", MAX_MICROSECONDS);
console.log(verdicts.toTable());
if (!verdicts.isAllMet()) process.exitCode = 1;
