// A service in a process of its own: `node child.mjs <data folder> <settings as JSON> [<root of a built clone>]`. Tells its
// address, and when asked its memory, its processor time, how often it has opened a credential, and how long its event loop
// was busy.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { countDecryptions } from "./count-decryptions.mjs";
import { watchEventLoop } from "./event-loop.mjs";

const [data, settings, root = resolve(import.meta.dirname, "../../..")] = process.argv.slice(2);
const entry = pathToFileURL(resolve(root, "packages/service/dist/index.js")).href;
// As `stemma serve` starts it.
const { limitStartupMemory } = await import(process.env.BENCH_STARTUP_MEMORY);
const { limitYoungSpace } = await import(process.env.BENCH_YOUNG_SPACE);
const allowGrowth = limitStartupMemory();
const { resolveConfiguration, startService } = await import(entry);

const configuration = resolveConfiguration({
	content: {
		...JSON.parse(settings),
		data,
		listen: { port: 0 },
		log: { level: "silent" },
		limits: { requests_per_minute: 10_000_000 },
	},
});
const readDecryptions = countDecryptions();
const startedAt = performance.now();
const service = await startService(configuration);
allowGrowth();
limitYoungSpace();
process.send({
	url: service.url,
	credentials: service.bootstrapCredentials.path,
	decryptMs: performance.now() - startedAt,
});
let eventLoop;
process.on("message", async (message) => {
	if (message === "watch-event-loop") eventLoop = watchEventLoop();
	if (message === "event-loop") process.send({ eventLoop: eventLoop.stop() });
	if (message === "memory") process.send({ rss: process.memoryUsage().rss });
	if (message === "cpu") process.send({ cpu: process.cpuUsage() });
	if (message === "decryptions") process.send({ decryptions: readDecryptions() });
	if (message !== "stop") return;
	await service.close(1_000);
	process.exit(0);
});
// A benchmark that failed stops nothing.
process.on("disconnect", () => process.exit(0));
