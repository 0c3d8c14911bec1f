// node workerd.mjs <bundle> <settings>: runs a worker to the answer to one request with the settings, and prints that.
import { readFile } from "node:fs/promises";
import { Miniflare } from "miniflare";

const [bundle, settings] = process.argv.slice(2);
const worker = new Miniflare({
	modules: true,
	script: await readFile(bundle, "utf8"),
	compatibilityDate: "2026-07-01",
	cf: false,
	telemetry: { enabled: false },
});
try {
	const answer = await worker.dispatchFetch("http://worker.example/", { method: "POST", body: settings });
	console.log(await answer.text());
} finally {
	await worker.dispose();
}
