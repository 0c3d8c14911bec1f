import { HttpAgent } from "@ag-ui/client";

const { STEMMA_BASE_URL: service, STEMMA_CLIENT_KEY: clientKey } = process.env;
const agent = new HttpAgent({
	url: `${service}/v1/agents/shop-desk/ag-ui`,
	headers: { authorization: `Bearer ${clientKey}` },
});
// Values for `{{context.…}}` in the agent's instructions: this one names the customer.
const context = [{ description: "customer", value: "Ada" }];

/** Asks, writes the answer as it comes, and returns how the run ended. */
async function ask(question) {
	agent.addMessage({ id: crypto.randomUUID(), role: "user", content: question });
	await agent.runAgent(
		{ context },
		{ onTextMessageContentEvent: ({ event }) => void process.stdout.write(event.delta) },
	);
	const { status, citations } = agent.state.stemma;
	console.log(`\n${status}, from ${citations.map(({ title }) => title).join(", ")}`);
	return status;
}

const statuses = [
	await ask("How long does a refund take?"),
	await ask("Who pays the postage of damaged goods?"),
];
// Two questions and two answers: the second run got all that was said before.
console.log(agent.messages.map(({ role }) => role).join(", "));
if (statuses.some((status) => status !== "completed") || agent.messages.length !== 4) process.exit(1);
