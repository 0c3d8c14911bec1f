// Bare Hono, which runs nothing: `node hono-server.mjs <events a second>`.
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { toDelta } from "./delta-event.mjs";
import { listen } from "./listen.mjs";
import { serveParent } from "./parent.mjs";
import { createRunResult } from "./run-result.mjs";
import { createTicker } from "./ticker.mjs";

const ticker = createTicker(Number(process.argv[2] ?? 0));
const app = new Hono();
let runs = 0;

app.get("/healthz", (context) => context.json({ status: "ok" }));
app.post("/run/desk", async (context) => {
	const { input } = await context.req.json();
	if (typeof input !== "string") return context.json({ error: "input is missing." }, 400);
	runs += 1;
	return context.json(createRunResult(`run_01kb0000000000000000${String(runs).padStart(6, "0")}`));
});
app.post("/run/chatter", async (context) => {
	await context.req.json();
	return streamSSE(context, async (stream) => {
		let seq = 0;
		for await (const text of ticker.read()) {
			seq += 1;
			await stream.writeSSE({
				id: String(seq),
				event: "text.delta",
				data: JSON.stringify(toDelta(seq, text)),
			});
		}
	});
});
serveParent(await listen(app.fetch), { start: ticker.start });
