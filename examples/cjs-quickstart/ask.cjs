const { ApiError, Stemma } = require("@stemma/client");

const stemma = new Stemma({
	baseUrl: process.env.STEMMA_BASE_URL ?? "http://127.0.0.1:4000",
	clientId: process.env.STEMMA_CLIENT_ID,
	clientSecret: process.env.STEMMA_CLIENT_SECRET,
});

async function main() {
	const { data } = await stemma.knowledge.list();
	const { id, name } = data.find((base) => base.name === "handbook") ?? data[0];
	console.log(`Asking "${name}" …\n`);

	const answer = stemma.ask.stream({
		question: "How many weeks of parental leave do I get?",
		knowledge_base_ids: [id],
	});
	for await (const event of answer) if (event.type === "text.delta") process.stdout.write(event.text);
	const { citations, receipt } = await answer.answer();
	console.log("\n");
	for (const { n, title } of citations) console.log(`[${n}] ${title}`);
	for (const { model, payer } of receipt) console.log(`${model}, paid by: ${payer}`);
}

main().catch((error) => {
	console.error(ApiError.is(error) ? `${error.code}: ${error.message} ${error.hint ?? ""}` : error);
	process.exitCode = 1;
});
