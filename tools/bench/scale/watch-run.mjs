/** Reads the events of a run as they come, and gives the milliseconds from each event's time to its arrival here. */
export async function timeEvents(url, token, runId) {
	const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
	const response = await fetch(`${url}/v1/runs/${runId}/events`, { headers });
	if (!response.ok) throw new Error(await response.text());
	const decoder = new TextDecoder();
	const delays = [];
	let rest = "";
	for await (const chunk of response.body) {
		const now = Date.now();
		const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
		rest = blocks.pop();
		for (const block of blocks) {
			const [, at] = /"at":"([^"]+)"/.exec(block) ?? [];
			if (at !== undefined) delays.push(now - Date.parse(at));
		}
	}
	return delays;
}
