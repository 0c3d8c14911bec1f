const { Stemma } = require("@stemma/client");
const { createFakeStemma } = require("@stemma/client/testing");
const { defineAgent } = require("@stemma/core");
const { createLocalAgent } = require("@stemma/local");
const { createExtractiveModel } = require("@stemma/routing/extractive");

const QUESTION = { input: "How long do refunds take?", context: { customer: "Ada" } };

test("asks a service", async () => {
	const stemma = new Stemma({
		baseUrl: process.env.STEMMA_BASE_URL,
		clientId: process.env.STEMMA_CLIENT_ID,
		clientSecret: process.env.STEMMA_CLIENT_SECRET,
	});
	const { output } = await stemma.agents.run("desk", QUESTION);
	expect(output).toBe("Refunds take five working days [1].");
});

test("asks a fake", async () => {
	const { stemma } = createFakeStemma({ agents: { desk: "Hello." } });
	expect(await stemma.agents.run("desk", QUESTION)).toMatchObject({ output: "Hello." });
});

test("runs a graph", async () => {
	const graph = defineAgent({ nodes: [{ id: "desk", kind: "coordinator" }] });
	const models = { resolve: () => ({ model: createExtractiveModel(), payer: "none", reason: "Built in." }) };
	const result = await createLocalAgent(graph, { ports: { models } }).run({ input: "Hello?" });
	expect(result.status).toBe("completed");
});
