import { defineAgent } from "@stemma/core";
import { expect, it } from "vitest";
import { toMermaid } from "./to-mermaid";

it("draws every kind of node and every mode of edge", () => {
	const graph = defineAgent({
		nodes: [
			{ id: "end", kind: "coordinator" },
			{ id: "aide", kind: "agent" },
			{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"] },
			{ id: "refund", kind: "tool", tool: "refund" },
			{ id: "legal", kind: "remote", agentId: "ag_1" },
		],
		edges: [
			{ from: "end", to: "faq", mode: "before" },
			{ from: "end", to: "refund", maxCalls: 2 },
			{ from: "end", to: "legal", mode: "handoff" },
			{ from: "end", to: "aide", mode: "then", when: { path: "/mood", in: ['"bad"', "a<b"] } },
			{ from: "aide", to: "refund" },
		],
	});
	expect(toMermaid(graph)).toMatchInlineSnapshot(`
		"flowchart LR
		  n0(["end<br/><i>coordinator</i>"])
		  n1("aide<br/><i>agent</i>")
		  n2[("faq<br/><i>knowledge</i>")]
		  n3[["refund<br/><i>tool</i>"]]
		  n4{{"legal<br/><i>remote</i>"}}
		  n0 -. "before" .-> n2
		  n0 -- "call, at most 2" --> n3
		  n0 -- "handoff" --> n4
		  n0 == "then if /mood in [#34;\\#34;bad\\#34;#34;,#34;a#60;b#34;]" ==> n1
		  n1 -- "call" --> n3
		"
	`);
});
