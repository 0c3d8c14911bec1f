// A service in a process of its own: `node child.mjs <data folder> <settings as JSON>`. Tells its address, and when asked
// its memory and how often it has opened a credential.
import { resolveConfiguration, startService } from "../../../packages/service/dist/index.js";
import { countDecryptions } from "./count-decryptions.mjs";

const [data, settings] = process.argv.slice(2);

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
process.send({
	url: service.url,
	credentials: service.bootstrapCredentials.path,
	decryptMs: performance.now() - startedAt,
});
process.on("message", async (message) => {
	if (message === "memory") process.send({ rss: process.memoryUsage().rss });
	if (message === "decryptions") process.send({ decryptions: readDecryptions() });
	if (message !== "stop") return;
	await service.close(1_000);
	process.exit(0);
});
// A benchmark that failed stops nothing.
process.on("disconnect", () => process.exit(0));
