import { runtimeAgents } from "@stemma/client";

const agents = runtimeAgents({ baseUrl: "http://127.0.0.1:4121" });

const { data } = await agents.list();
for (const { id, status, description } of data) console.log(`${id} (${status}): ${description}`);

const run = agents.stream("shop", { input: "How long does a refund take?" });
for await (const event of run)
	if (event.type === "text.delta" && event.final) process.stdout.write(event.text);
const { status, citations } = await run.result();
console.log(`\n${status}, from ${citations.map(({ title }) => title).join(", ")}`);
