// Sends requests over connections that stay open, from a process of its own: `node load.mjs`, then messages with what to send.
import autocannon from "autocannon";

process.on("message", async ({ url, body, connections, seconds }) => {
	const result = await autocannon({
		url,
		method: "POST",
		headers: { "content-type": "application/json" },
		body,
		connections,
		duration: seconds,
	});
	const { requests, latency, duration, non2xx, errors } = result;
	process.send({
		total: requests.total,
		rate: requests.total / duration,
		p50: latency.p50,
		p99: latency.p99,
		failed: non2xx + errors,
	});
});
process.on("disconnect", () => process.exit(0));
process.send({});
