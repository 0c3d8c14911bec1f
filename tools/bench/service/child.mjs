// A service in a process of its own: `node child.mjs <data folder>`. Tells its address, and its memory when asked.
import { resolveConfiguration, startService } from "../../../packages/service/dist/index.js";

const configuration = resolveConfiguration({
	content: {
		data: process.argv[2],
		listen: { port: 0 },
		log: { level: "silent" },
		limits: { requests_per_minute: 10_000_000 },
	},
});
const startedAt = performance.now();
const service = await startService(configuration);
process.send({
	url: service.url,
	credentials: service.firstCredentials.path,
	openMs: performance.now() - startedAt,
});
process.on("message", async (message) => {
	if (message === "memory") process.send({ rss: process.memoryUsage().rss });
	if (message !== "stop") return;
	await service.close(1_000);
	process.exit(0);
});
