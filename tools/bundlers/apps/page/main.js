// A page that asks a service by a hook, and runs a graph of its own. Where the service is stands behind the `#`.
import { agents, createClient } from "@stemma/client";
import { defineAgent } from "@stemma/core";
import { createLocalAgent } from "@stemma/local";
import { useRun } from "@stemma/react";
import { createExtractiveModel } from "@stemma/routing/extractive";
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";

const { baseUrl, clientKey } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const desk = agents(createClient({ baseUrl, clientKey }));

const passage = {
	passage_id: "psg_1",
	document_id: "doc_1",
	title: "Gift cards",
	place: { start: 0, end: 40 },
	text: "A gift card is valid for three years.",
};

const graph = defineAgent({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"] },
	],
	edges: [{ from: "desk", to: "faq", mode: "before" }],
});

const ports = {
	models: { resolve: () => ({ model: createExtractiveModel(), payer: "none", reason: "Built in." }) },
	retriever: { retrieve: async () => ({ passages: [passage] }) },
};

const runHere = async () =>
	(await createLocalAgent(graph, { ports }).run({ input: "How long is a gift card valid?" })).output;

function Page() {
	const run = useRun(desk, "desk");
	const [local, setLocal] = useState("");
	const ask = () => {
		run.start({ input: "How long do refunds take?", context: { customer: "Ada" } });
		runHere().then(setLocal, (error) => setLocal(String(error)));
	};
	return createElement(
		"main",
		null,
		createElement("button", { type: "button", onClick: ask }, "Ask"),
		createElement("p", { id: "status" }, run.error?.message ?? run.status),
		createElement("p", { id: "answer" }, run.text),
		createElement("p", { id: "local" }, local),
	);
}

createRoot(document.getElementById("root")).render(createElement(Page));
