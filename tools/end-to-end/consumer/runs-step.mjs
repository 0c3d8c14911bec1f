import { check, checkRunEvents } from "./check.mjs";
import { readAll } from "./http.mjs";

/** Reads a run that has ended again, from the middle too, and follows one that was started in the background. */
export async function runsStep(context) {
	const { stemma, question, deskAgentId } = context;
	const stream = stemma.agents.stream("desk", { input: question });
	const events = await readAll(stream);
	const { run_id } = stream;
	const result = await stream.result();
	context.modelCalls += result.usage.model_calls;
	await checkRecord(context, run_id, result);
	await rejoin(context, events);
	await followInBackground(context, deskAgentId);
}

async function checkRecord({ stemma, deskAgentId }, run_id, result) {
	const record = await stemma.runs.get(run_id);
	check(
		JSON.stringify(record.result) === JSON.stringify(result),
		"runs.get(): another result",
		record.result,
	);
	check(record.status === "completed" && record.agent_id === deskAgentId, "runs.get()", record);
	const ids = [];
	for await (const { id } of stemma.runs.list({ agent_id: "desk", status: "completed", limit: 2 }))
		ids.push(id);
	check(ids.includes(run_id) && ids.length === new Set(ids).size, "runs.list()", ids);
}

/** By a stream and by a poll: what comes after, and nothing else. */
async function rejoin({ stemma, service, accessToken }, events) {
	const [{ run_id }] = events;
	const after = Math.floor(events.length / 2);
	const expected = JSON.stringify(events.slice(after));
	const streamed = await readAll(stemma.runs.stream(run_id, { after }));
	check(JSON.stringify(streamed) === expected, "runs.stream(): other events after the middle", streamed);
	const response = await fetch(`${service}/v1/runs/${run_id}/events?after=${after}&wait_ms=1000`, {
		headers: { authorization: `Bearer ${accessToken}` },
	});
	const { data, done } = await response.json();
	check(JSON.stringify(data) === expected && done, "GET …/events: other events after the middle", data);
}

async function followInBackground(context, agent) {
	const { stemma, question } = context;
	const { id, status, run_token } = await stemma.agents.start(agent, { input: question });
	context.runTokens.push(run_token);
	check(status === "running", "agents.start(): status", status);
	const events = await readAll(stemma.runs.stream(id));
	const { output, usage } = events.at(-1).result;
	checkRunEvents(events, output, {}, "runs.stream() of a background run");
	context.modelCalls += usage.model_calls;
}
