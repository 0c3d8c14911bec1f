import { agents, createClient, Stemma } from "@stemma/client";
import { useRun } from "@stemma/react";
import { useState } from "react";
import { useLoaderData } from "react-router";

const QUESTION = { input: "How long do refunds take?", context: { customer: "Ada" } };

/** On the server: asks with the secret, and hands the page its own key. */
export async function loader() {
	const { STEMMA_BASE_URL: baseUrl, PAGE_KEY: clientKey } = process.env;
	const stemma = new Stemma({
		baseUrl,
		clientId: process.env.STEMMA_CLIENT_ID,
		clientSecret: process.env.STEMMA_CLIENT_SECRET,
	});
	const { output } = await stemma.agents.run("desk", QUESTION);
	return { output, baseUrl, clientKey };
}

export default function Home() {
	const { output, baseUrl, clientKey } = useLoaderData();
	const [desk] = useState(() => agents(createClient({ baseUrl, clientKey })));
	const run = useRun(desk, "desk");
	return (
		<main>
			<p id="server">{output}</p>
			<button type="button" onClick={() => run.start(QUESTION)}>
				Ask
			</button>
			<p id="status">{run.error?.message ?? run.status}</p>
			<p id="answer">{run.text}</p>
		</main>
	);
}
