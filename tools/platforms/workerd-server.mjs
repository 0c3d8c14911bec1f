// node workerd-server.mjs <bundle>: serves a worker, prints its port, and ends when its standard input does.
import { readFile } from "node:fs/promises";
import { Miniflare } from "miniflare";

const worker = new Miniflare({
	modules: true,
	script: await readFile(process.argv[2], "utf8"),
	compatibilityDate: "2026-07-01",
	host: "127.0.0.1",
	port: 0,
	cf: false,
	telemetry: { enabled: false },
});
console.log((await worker.ready).port);
process.stdin.resume().on("end", async () => {
	await worker.dispose();
	process.exit();
});
