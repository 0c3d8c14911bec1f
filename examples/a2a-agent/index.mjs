import { createA2aClient } from "@stemma/client/a2a";
import { defineAgent } from "@stemma/core";
import { createLocalAgent } from "@stemma/local";
import { startRuntime } from "@stemma/runtime";

// A model that says one thing, word by word.
const says = (text) => ({
	provider: "scripted",
	model: "one-liner",
	vendorHost: "",
	generate: () => Promise.reject(new Error("Only streams are used here.")),
	async *stream() {
		for (const word of text.match(/\S+\s*/g)) yield { type: "text.delta", text: word };
		yield { type: "finish", reply: { text, toolCalls: [], finishReason: "stop" } };
	},
});
const modelsOf = (text) => ({
	resolve: () => ({ model: says(text), payer: "none", reason: "It runs right here." }),
});

// 1. An agent behind A2A: any agent file of a runtime is one.
const legal = defineAgent({
	name: "legal",
	description: "Knows the terms of sale.",
	nodes: [{ id: "counsel", kind: "coordinator" }],
});
const runtime = await startRuntime({
	agents: { legal },
	ports: { models: modelsOf("Goods may be returned within 30 days.") },
	port: 0,
	log: () => undefined,
});
const url = `${runtime.url}/a2a/legal`;

// 2. Any A2A client can ask it, this one too.
const agent = createA2aClient({ url });
const { name, description } = await agent.card();
console.log(`${name}: ${description}`);
const stream = agent.stream("How long may goods be returned?");
for await (const event of stream)
	if ("artifactUpdate" in event) process.stdout.write(event.artifactUpdate.artifact.parts[0].text);
const { task } = await stream.result();
console.log(`\n${task.status.state}`);

// 3. And a graph elsewhere can call it, along an edge.
const desk = defineAgent({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "legal", kind: "remote", url },
	],
	edges: [{ from: "desk", to: "legal", mode: "then" }],
});
const result = await createLocalAgent(desk, {
	ports: { models: modelsOf("How long may goods be returned?") },
}).run({ input: "What are your terms?" });
console.log(result.output);
for (const { node, payer, provider } of result.receipt)
	console.log(`${node}: ${provider}, paid by: ${payer}`);

await runtime.close();
if (task.status.state !== "TASK_STATE_COMPLETED") process.exit(1);
if (result.output !== "Goods may be returned within 30 days.") process.exit(1);
