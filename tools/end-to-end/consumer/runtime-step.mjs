import { checkResult } from "./agents-step.mjs";
import { check, checkFails, checkRunEvents } from "./check.mjs";
import { post, readAll } from "./http.mjs";

/** Runs a graph and a manifest of the runtime in three ways each; the broken file is listed and refused. */
export async function runtimeStep(context) {
	const { runtime, packages } = context;
	const agents = packages.client.runtimeAgents({ baseUrl: runtime.url, token: runtime.token });
	const { data } = await agents.list();
	const states = data.map(({ id, form, status }) => `${id} ${form} ${status}`).sort();
	check(String(states) === String(runtime.agents), "runtimeAgents.list()", states);
	for (const id of runtime.ready) await runAgent(context, agents, id);
	const error = await checkFails(
		agents.run(runtime.broken, { input: "?" }),
		"agent_invalid",
		"the broken file",
	);
	check(error.status === 422 && error.details.issues.length > 0, "the broken file's issues", error.details);
	await checkFails(agents.run("nobody", { input: "?" }), "agent_not_found", "an agent that is not there");
}

async function runAgent(context, agents, id) {
	const { question, runtime } = context;
	const stream = agents.stream(id, { input: question });
	const events = await readAll(stream);
	const results = {
		[`runtimeAgents.stream(${id})`]: await stream.result(),
		[`runtimeAgents.run(${id})`]: await agents.run(id, { input: question }),
		[`POST /run/${id}`]: await post(`${runtime.url}/run/${id}`, runtime.token, { input: question }),
	};
	const [{ output }] = Object.values(results);
	for (const [where, result] of Object.entries(results))
		checkResult(context, result, { output, nodes: ["desk"] }, where);
	checkRunEvents(events, output, {}, `runtimeAgents.stream(${id})`);
}
