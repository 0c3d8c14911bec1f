import { check, checkAnswer, checkReceipt, checkRunEvents } from "./check.mjs";
import { post, readAll } from "./http.mjs";

/** Runs the stored agents in three ways each: the same answer each time. Gives that of the desk. */
export async function agentsStep(context) {
	const { deskAgentId, callingAgentId } = context;
	const output = await runAgent(context, { id: deskAgentId, slug: "desk", nodes: ["desk"] });
	const nodes = ["desk", "benefits", "desk"];
	await runAgent(context, { id: callingAgentId, slug: "calling-desk", nodes });
	return output;
}

async function runAgent(context, { id, slug, nodes }) {
	const { stemma, service, accessToken, question } = context;
	const stream = stemma.agents.stream(id, { input: question });
	const events = await readAll(stream);
	const json = await post(`${service}/v1/agents/${slug}/run`, accessToken, { input: question });
	context.runTokens.push(stream.run_token, json.run_token);
	const results = {
		[`agents.stream(${slug})`]: await stream.result(),
		[`agents.run(${slug})`]: await stemma.agents.run(slug, { input: question }),
		[`POST /v1/agents/${slug}/run`]: json,
	};
	const [{ output }] = Object.values(results);
	for (const [where, result] of Object.entries(results))
		checkResult(context, result, { output, nodes }, where);
	checkRunEvents(events, output, {}, `agents.stream(${slug})`);
	const called = events.filter(({ type }) => type === "tool.called").map(({ callee }) => callee);
	check(String(called) === String(nodes.slice(1, 2)), `agents.stream(${slug}): calls`, called);
	return output;
}

/** A completed run with the right answer and the right bill. */
export function checkResult(context, result, { output, nodes }, where) {
	check(result.status === "completed", `${where}: status`, result);
	check(result.output === output, `${where}: another answer`, result.output);
	checkAnswer(result.output, result.citations, context, where);
	checkReceipt(result.receipt, result.usage, { ...context, nodes }, where);
	context.modelCalls += result.usage.model_calls;
}
