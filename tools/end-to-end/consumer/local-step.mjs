import { checkResult } from "./agents-step.mjs";
import { checkRunEvents } from "./check.mjs";
import { readAll } from "./http.mjs";

/** Runs the desk's graph in this process, on the service's documents and models. */
export async function localStep(context) {
	const { packages, stemma, graph, question } = context;
	const { createLocalAgent, servicePorts } = packages.local;
	const agent = createLocalAgent(graph, { ports: servicePorts(stemma.client) });
	const result = await agent.run({ input: question });
	const stream = agent.stream({ input: question });
	const events = await readAll(stream);
	const { output } = result;
	checkResult(context, result, { output, nodes: ["desk"] }, "servicePorts: run()");
	checkResult(context, await stream.result(), { output, nodes: ["desk"] }, "servicePorts: stream()");
	checkRunEvents(events, output, {}, "servicePorts: stream()");
}
