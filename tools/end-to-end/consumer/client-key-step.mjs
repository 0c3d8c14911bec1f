import { check, checkAnswer, checkFails, checkRunEvents } from "./check.mjs";
import { post, readAll } from "./http.mjs";

/** With the key of a phone: it gets answers, and sees neither who paid nor the inside of a run. */
export async function clientKeyStep(context) {
	const { packages, service, clientKey, firstClientKey, question, knowledgeBaseId } = context;
	const stemma = new packages.client.Stemma({ baseUrl: service, clientKey });
	const request = { question, knowledge_base_ids: [knowledgeBaseId] };
	checkShown(context, withOutput(await stemma.ask(request)), "ask() by key");
	checkShown(context, withOutput(await post(`${service}/v1/ask`, clientKey, request)), "POST /v1/ask by key");
	await runAgent(context, stemma);
	await runLocally(context, stemma);
	await checkForbidden(stemma);
	const first = new packages.client.Stemma({ baseUrl: service, clientKey: firstClientKey });
	const { passages } = await first.search({ query: question, knowledge_base_ids: [knowledgeBaseId] });
	check(passages.length > 0, "search() by the first key", passages);
}

const withOutput = ({ answer, ...rest }) => ({ ...rest, output: answer });

function checkShown(context, { output, citations, usage, receipt }, where) {
	checkAnswer(output, citations, context, where);
	check(receipt.length === 0 && usage.model_calls > 0, `${where}: receipt and usage`, { receipt, usage });
	context.modelCalls += usage.model_calls;
}

async function runAgent(context, stemma) {
	const { service, clientKey, question } = context;
	const stream = stemma.agents.stream("calling-desk", { input: question });
	const events = await readAll(stream);
	const { run_id, run_token } = stream;
	const result = await stream.result();
	checkRunEvents(events, result.output, { isTrace: false }, "agents.stream() by key");
	const json = await post(`${service}/v1/agents/calling-desk/run`, clientKey, { input: question });
	checkShown(context, result, "agents.stream() by key");
	checkShown(context, await stemma.agents.run("calling-desk", { input: question }), "agents.run() by key");
	checkShown(context, json, "POST …/run by key");
	context.runTokens.push(run_token, json.run_token);
	await readOwnRun(context, stemma, { run_id, run_token, events });
}

/** Whoever has the token of the run, and nobody else. */
async function readOwnRun(context, stemma, { run_id, run_token, events }) {
	const [other] = context.runTokens;
	const { status, result } = await stemma.runs.get(run_id, { run_token });
	check(status === "completed" && result.receipt.length === 0, "runs.get() by key", result);
	const after = events[1].seq;
	const rest = await readAll(stemma.runs.stream(run_id, { run_token, after }));
	check(withoutAddresses(rest) === withoutAddresses(events.slice(2)), "runs.stream() by key", rest);
	await checkFails(stemma.runs.get(run_id), "run_not_found", "runs.get() by key without its token");
	await checkFails(stemma.runs.get(run_id, { run_token: other }), "run_not_found", "… with another run's");
}

/** Addresses of cited documents are made anew for each response. */
const withoutAddresses = (events) =>
	JSON.stringify(events, (key, value) => (key === "document_url" ? undefined : value));

async function runLocally(context, stemma) {
	const { packages, graph, question } = context;
	const { createLocalAgent, servicePorts } = packages.local;
	const agent = createLocalAgent(graph, { ports: servicePorts(stemma.client) });
	const { output, citations, usage } = await agent.run({ input: question });
	checkAnswer(output, citations, context, "servicePorts by key");
	context.modelCalls += usage.model_calls;
}

async function checkForbidden(stemma) {
	const forbidden = {
		"knowledge.list()": stemma.knowledge.list(),
		"agents.list()": stemma.agents.list(),
		"runs.list()": stemma.runs.list(),
		"clientKeys.list()": stemma.clientKeys.list(),
	};
	for (const [where, promise] of Object.entries(forbidden))
		await checkFails(promise, "not_allowed_for_client_key", `${where} by key`);
}
