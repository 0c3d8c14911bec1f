import { Stemma } from "@stemma/client";
import { Markdown } from "@stemma/react/chat";
import { Desk } from "./desk";

// With each request, not once when it is built.
export const dynamic = "force-dynamic";

/** Server component: asks with the secret, and hands the page its own key. */
export default async function Page() {
	const { STEMMA_BASE_URL: baseUrl, PAGE_KEY: clientKey } = process.env;
	const stemma = new Stemma({
		baseUrl,
		clientId: process.env.STEMMA_CLIENT_ID,
		clientSecret: process.env.STEMMA_CLIENT_SECRET,
	});
	const { output } = await stemma.agents.run("desk", {
		input: "How long do refunds take?",
		context: { customer: "Ada" },
	});
	return (
		<main>
			<section id="server">
				<Markdown text={output} />
			</section>
			<Desk baseUrl={baseUrl} clientKey={clientKey} />
		</main>
	);
}
